import { wordsOf } from './words.js';

/** Words that must be adjacent and in this order. Mostly a single word. */
export interface Term {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
}

/** The alternatives of a search. An item must match all terms of one alternative. */
export type TextQuery = readonly (readonly Term[])[];

/** Matches a quoted phrase or text between spaces. An unclosed phrase ends with the text, and a minus excludes. */
const PART = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;
const OR = /^or$/i;

/** Parses a search like web search engines: words, "phrases", -exclusion, or. Every text is a valid search. */
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
