import { wordsOf } from './words.js';

/**
 * A term of a search: one or more words that must be next to each other in the given order. Most terms have only one
 * word.
 */
export interface Term {
  readonly words: readonly string[];
  readonly isExcluded: boolean;
}

/** A parsed search as a list of alternatives. An item must match all terms of at least one alternative. */
export type TextQuery = readonly (readonly Term[])[];

/**
 * Matches one part of a search: a quoted phrase, or consecutive characters without spaces and
 * quotes. A minus sign before the part excludes it. A phrase without a closing quote extends to the
 * end of the search.
 */
const PART = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;
const OR = /^or$/i;

/**
 * Parses a search in the syntax of web search engines: words, "phrases", -exclusions and `or`. Every text is a valid
 * search.
 */
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
