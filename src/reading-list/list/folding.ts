/** Text as it is compared without case: NFC, lower case. Search, title order and tags share this one rule. */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().normalize('NFC');
