import { folded } from './folding.js';

const MOST_WORDS = 40;
const LONGEST_PHRASE = 3;
/** What stands around a word; `c++` and `c#` are words. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu;

/** The words of a title and what up to three of them say together, as tags are compared. */
export function titlePhrases(title: string): readonly string[] {
  const words = folded(title)
    .split(/\s+/, MOST_WORDS)
    .map((word) => word.replaceAll(AROUND, ''))
    .filter((word) => word !== '');
  const phrases = words.flatMap((_, at) =>
    Array.from({ length: LONGEST_PHRASE }, (__, more) => words.slice(at, at + more + 1).join(' ')),
  );
  return [...new Set(phrases)];
}
