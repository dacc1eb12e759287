/**
 * Text as it is compared without case: NFC, lower case. Search, title order and tags share this one rule. A final
 * sigma is a sigma: which of the two a capital becomes depends on what follows, and a part of a text must be found.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
