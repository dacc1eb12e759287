const WORD = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/**
 * Returns the number of words that both texts contain, divided by the number of different words in the two texts
 * together. The result is between 0 and 1.
 */
export function similarity(one: string, other: string): number {
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  const common = [...ours].filter((word) => theirs.has(word)).length;
  const all = ours.size + theirs.size - common;
  return all === 0 ? 0 : common / all;
}

/**
 * Returns the letters and digits of a text in lower case. With this function, different spellings of a site's name
 * become equal.
 */
export const squashed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
