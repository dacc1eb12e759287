import type { Term, TextQuery } from './text-query.js';

/** What a word is stemmed to in the languages of a list. */
export interface WordLexemes {
  readonly word: string;
  readonly lexemes: readonly string[];
  /** A language of the list takes it for a word that says nothing, and its texts are without it. */
  readonly isStopWord: boolean;
}

/** A search in the terms of PostgreSQL: values of the type `tsquery`, and the words it is about. */
export interface CompiledTextQuery {
  /** Every item that this finds has the words, but they need not stand together. */
  readonly words: string;
  /** The same with phrases; undefined when there are none. */
  readonly phrases: string | undefined;
  /** Any of the words that are wanted, to tell how much a text is about them. */
  readonly rank: string;
  readonly lexemes: readonly string[];
}

/** Undefined when nothing is looked for: no word, words that every language leaves out, exclusions alone. */
export function compiled(
  query: TextQuery,
  found: readonly WordLexemes[],
  owner: string,
): CompiledTextQuery | undefined {
  // What is a stop word in one language may be a word of another: it is looked for when there is nothing else.
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

/** Those that look for anything. */
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

/** A word of a phrase, and how far it stands behind the one before. */
interface Part {
  readonly lexemes: readonly string[];
  readonly distance: number;
}

interface StemmedTerm {
  readonly parts: readonly Part[];
  readonly isExcluded: boolean;
}

/** Without stop words, whose places stay. */
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

/** An excluded phrase excludes nothing here: its words may stand apart. */
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
