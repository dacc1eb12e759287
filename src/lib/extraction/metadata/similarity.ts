const WORD = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** Returns the share of common words among all words of two texts, from 0 to 1. */
export function similarity(one: string, other: string): number {
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  const common = [...ours].filter((word) => theirs.has(word)).length;
  const all = ours.size + theirs.size - common;
  return all === 0 ? 0 : common / all;
}

/**
 * Returns a text in lower case with only its letters and digits, so that different spellings of a site's name are
 * equal.
 */
export const squashed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
