const WORD = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** Returns the share of common words among all words of both texts, from 0 to 1. */
export function similarity(one: string, other: string): number {
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  const common = [...ours].filter((word) => theirs.has(word)).length;
  const all = ours.size + theirs.size - common;
  return all === 0 ? 0 : common / all;
}

/** Removes all characters except letters and digits, so that names of sites can be compared. */
export const squashed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
