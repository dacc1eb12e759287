import { wordsOf } from './words.js';

/** Words that stand next to each other in this order; mostly one. */
export interface Term {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
}

/** What is looked for: all terms of one of the alternatives. */
export type TextQuery = readonly (readonly Term[])[];

/** A quoted phrase, to the end of the text where it is not closed, or what stands between spaces; a minus excludes. */
const PART = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;
const OR = /^or$/i;

/** Reads a search as web search engines do: words, "phrases", -exclusion, or. Every text is a search. */
export function textQueryOf(text: string): TextQuery {
  const alternatives: Term[][] = [[]];
  for (const [part, minus, phrase, word] of text.replaceAll(/[“”„«»]/g, '"').matchAll(PART)) {
    if (OR.test(part)) {
      alternatives.push([]);
    }
    const words = OR.test(part) ? [] : wordsOf(phrase ?? word ?? '');
    alternatives.at(-1)?.push({ words, isExcluded: minus === '-' });
  }
  return alternatives
    .map((terms) => terms.filter(({ words }) => words.length > 0))
    .filter((terms) => terms.length > 0);
}
