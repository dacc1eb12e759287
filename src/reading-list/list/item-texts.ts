import { cut, withoutControls } from '../../lib/util/clean-text.js';

/**
 * Returns the text for comparisons without case: in NFC and lower case. Search, title order and tags all use this
 * function.
 *
 * A final sigma (ς) becomes σ. The lower case of Σ depends on the next letter, so a search for a part of a word would
 * otherwise fail.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

const MAX_CODE_POINTS = 1000;

/**
 * Returns a title from a client without surrounding spaces and control characters, cut to the maximum length. Returns
 * undefined if the result is empty.
 */
export function givenTitle(text: string): string | undefined {
  const title = withoutControls(text).trim();
  // Some clients send the text "null" for a missing title.
  return title === '' || title === 'null' ? undefined : cut(title, MAX_CODE_POINTS);
}

const MAX_TITLE_KEY = 500;

/** The texts of an item for display, sorting and search. */
export interface ItemTexts {
  readonly givenUrl: string;
  readonly givenTitle: string;
  /** True if the title from the user wins over the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** Returns the title to show: the given or the resolved title. Returns the URL if both titles are missing. */
export function shownTitle(texts: Omit<ItemTexts, 'resolvedUrl'>): string {
  const [first, second] = texts.prefersGivenTitle
    ? [texts.givenTitle, texts.resolvedTitle]
    : [texts.resolvedTitle, texts.givenTitle];
  return first || second || texts.givenUrl;
}

/** Returns the key for sorting by title. The key has no diacritics, so that ä is sorted next to a. */
export const titleKey = (texts: ItemTexts): string =>
  cut(withoutMarks(folded(shownTitle(texts))), MAX_TITLE_KEY);

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/** Returns the searchable text: titles and URLs, each on its own line. No match can therefore span two of them. */
export const searchText = (texts: ItemTexts): string =>
  [
    ...new Set(
      [texts.givenTitle, texts.resolvedTitle, texts.givenUrl, texts.resolvedUrl].map(folded),
    ),
  ]
    .filter((text) => text !== '')
    .join('\n');

const MOST_WORDS = 40;
const LONGEST_PHRASE = 3;
/** Matches punctuation around a word. The signs in `c++` and `c#` are part of the word. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}+#])[^\p{L}\p{N}+#]+$/gu;

/**
 * Returns the phrases of one to three words in the title, folded like tag names. Reads only the start of a long title.
 */
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
