import type { Term, TextQuery } from './text-query.js';

/** A word of a search, and its stems in all languages of the user's texts. */
export interface WordLexemes {
  readonly word: string;
  readonly lexemes: readonly string[];
  /**
   * True if the word is a stop word in at least one of the languages. For a text in such a language, the index does not
   * contain the word.
   */
  readonly isStopWord: boolean;
}

/** A search that is compiled for PostgreSQL, as values of the type `tsquery`. */
export interface CompiledTextQuery {
  /** The `tsquery` that finds items with the words. The words of a phrase need not be adjacent. */
  readonly words: string;
  /**
   * The `tsquery` that finds items with the words of each phrase next to each other. Undefined if the search contains
   * no phrase.
   */
  readonly phrases: string | undefined;
  /**
   * The `tsquery` that ranks items. It contains all words of the search except excluded words,
   * combined with OR.
   */
  readonly rank: string;
  readonly lexemes: readonly string[];
}

/**
 * Compiles a search. Returns undefined if no words remain to search for, for example because all
 * words are stop words or excluded.
 */
export function compiled(
  query: TextQuery,
  found: readonly WordLexemes[],
  owner: string,
): CompiledTextQuery | undefined {
  // First ignore words that are stop words in any of the languages. If no words remain, ignore only
  // words that are stop words in all languages.
  const alternatives = [true, false]
    .map((withoutStopWords) =>
      alternativesOf(
        query,
        new Map(
          found
            .filter(({ isStopWord }) => !(isStopWord && withoutStopWords))
            .map((one) => [one.word, one.lexemes]),
        ),
      ),
    )
    .find(({ length }) => length > 0);
  return alternatives && inTsQueries(alternatives, owner);
}

type Alternatives = readonly (readonly StemmedTerm[])[];

/**
 * Returns the alternatives of a search, which are separated by `or`. Skips alternatives without a
 * word to search for.
 */
const alternativesOf = (
  query: TextQuery,
  lexemesOf: ReadonlyMap<string, readonly string[]>,
): Alternatives =>
  query
    .map((terms) =>
      terms.map((term) => stemmed(term, lexemesOf)).filter(({ parts }) => parts.length > 0),
    )
    .filter((terms) => terms.some(({ isExcluded }) => !isExcluded));

function inTsQueries(alternatives: Alternatives, owner: string): CompiledTextQuery {
  const terms = alternatives.flat();
  const wanted = terms.filter(({ isExcluded }) => !isExcluded);
  const lexemes = [
    ...new Set(wanted.flatMap(({ parts }) => parts.flatMap((part) => part.lexemes))),
  ];
  const hasPhrases = terms.some(({ parts }) => parts.length > 1);
  return {
    words: `${quoted(owner)} & ${anyOf(alternatives.map(inWords))}`,
    phrases: hasPhrases ? `${quoted(owner)} & ${anyOf(alternatives.map(inPhrases))}` : undefined,
    rank: lexemes.map(quoted).join(' | '),
    lexemes,
  };
}

/** A word of a phrase, and its distance from the previous word. */
interface Part {
  readonly lexemes: readonly string[];
  readonly distance: number;
}

interface StemmedTerm {
  readonly parts: readonly Part[];
  readonly isExcluded: boolean;
}

/** Returns the stems of the words in a phrase. Skips stop words, but keeps the distances between the other words. */
function stemmed(
  { words, isExcluded }: Term,
  lexemesOf: ReadonlyMap<string, readonly string[]>,
): StemmedTerm {
  const parts: Part[] = [];
  let distance = 1;
  for (const word of words) {
    const lexemes = lexemesOf.get(word) ?? [];
    if (lexemes.length === 0) {
      distance += 1;
    } else {
      parts.push({ lexemes, distance });
      distance = 1;
    }
  }
  return { parts, isExcluded };
}

/**
 * Returns a `tsquery` for the words, wherever they occur in an item. Skips excluded phrases,
 * because an item may contain the words of a phrase without containing the phrase.
 */
const inWords = (terms: readonly StemmedTerm[]): string =>
  terms
    .filter(({ parts, isExcluded }) => !isExcluded || parts.length === 1)
    .map(({ parts, isExcluded }) => {
      const all = parts.map(({ lexemes }) => anyOf(lexemes.map(quoted))).join(' & ');
      return isExcluded ? `!${all}` : all;
    })
    .join(' & ');

const inPhrases = (terms: readonly StemmedTerm[]): string =>
  terms.map(({ parts, isExcluded }) => `${isExcluded ? '!' : ''}(${phrase(parts)})`).join(' & ');

const phrase = (parts: readonly Part[]): string =>
  parts
    .map(
      ({ lexemes, distance }, at) =>
        `${at === 0 ? '' : ` <${distance}> `}${anyOf(lexemes.map(quoted))}`,
    )
    .join('');

const anyOf = (all: readonly string[]): string => `(${all.join(' | ')})`;

const quoted = (lexeme: string): string =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
