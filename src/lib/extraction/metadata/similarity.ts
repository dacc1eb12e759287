const WORD = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** How many of the words of both are common to both: 0 to 1. */
export function similarity(one: string, other: string): number {
  const [ours, theirs] = [wordsOf(one), wordsOf(other)];
  const common = [...ours].filter((word) => theirs.has(word)).length;
  const all = ours.size + theirs.size - common;
  return all === 0 ? 0 : common / all;
}

/** Letters and digits only: how names of sites are compared. */
export const squashed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
