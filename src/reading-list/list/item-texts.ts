import { cut, withoutControls } from '../../lib/util/clean-text.js';

/**
 * Returns the text for comparisons without case, in NFC and lower case. Search, title order and tags share this rule. A
 * final sigma (ς) becomes σ: the lower case of Σ depends on the next letter, so a search for a part of a word would
 * fail.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

const MAX_CODE_POINTS = 1000;

/**
 * Returns a title from a client: trimmed, without control characters, cut to the maximum length. Undefined if nothing
 * is left.
 */
export function givenTitle(text: string): string | undefined {
  const title = withoutControls(text).trim();
  // Some clients send the text "null" for a missing title.
  return title === '' || title === 'null' ? undefined : cut(title, MAX_CODE_POINTS);
}

const MAX_TITLE_KEY = 500;

/** The texts of an item that people see, sort by and search in. */
export interface ItemTexts {
  readonly givenUrl: string;
  readonly givenTitle: string;
  /** The title that the user gave wins over the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** Returns the title to show: the given or the resolved title, else the URL. */
export function shownTitle(texts: Omit<ItemTexts, 'resolvedUrl'>): string {
  const [first, second] = texts.prefersGivenTitle
    ? [texts.givenTitle, texts.resolvedTitle]
    : [texts.resolvedTitle, texts.givenTitle];
  return first || second || texts.givenUrl;
}

/** Returns the key for sorting by title. It has no diacritics, so that ä sorts next to a. */
export const titleKey = (texts: ItemTexts): string =>
  cut(withoutMarks(folded(shownTitle(texts))), MAX_TITLE_KEY);

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/** Returns the searchable text: titles and URLs, one per line, so that no match spans two of them. */
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
/** Punctuation around a word; `c++` and `c#` are words. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}+#])[^\p{L}\p{N}+#]+$/gu;

/** Returns all phrases of one to three words from the start of a title, folded like tag names. */
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
