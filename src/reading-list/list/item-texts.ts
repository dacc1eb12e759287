import { cut, withoutControls } from '../../lib/util/clean-text.js';

/**
 * Returns a text in NFC and lower case, for comparisons that ignore case. A final sigma (ς) becomes σ, because the
 * lower case of Σ depends on the next letter. Without this rule, searching for a part of a Greek word would
 * fail.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

const MAX_CODE_POINTS = 1000;

/**
 * Returns a title from a client, cut to the maximum length, without surrounding spaces and control characters. Returns
 * undefined if the result is empty.
 */
export function givenTitle(text: string): string | undefined {
  const title = withoutControls(text).trim();
  // Some clients send the text "null" if they have no title.
  return title === '' || title === 'null' ? undefined : cut(title, MAX_CODE_POINTS);
}

const MAX_TITLE_KEY = 500;

/** The texts of an item that are shown, searched, or used for sorting. */
export interface ItemTexts {
  readonly givenUrl: string;
  readonly givenTitle: string;
  /** True if the user's title is shown instead of the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** Returns the title to show: the user's or the page's title, or the URL if both are missing. */
export function shownTitle(texts: Omit<ItemTexts, 'resolvedUrl'>): string {
  const [first, second] = texts.prefersGivenTitle
    ? [texts.givenTitle, texts.resolvedTitle]
    : [texts.resolvedTitle, texts.givenTitle];
  return first || second || texts.givenUrl;
}

/** Returns the text by which items are sorted by title. It has no diacritics, so that ä and a are sorted together. */
export const titleKey = (texts: ItemTexts): string =>
  cut(withoutMarks(folded(shownTitle(texts))), MAX_TITLE_KEY);

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/**
 * Returns the text in which searches look for titles and URLs. Each title and URL is on its own line, so that no match
 * extends over two of them.
 */
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
/** Matches punctuation before and after a word. The signs in `c++` and `c#` belong to the word. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}+#])[^\p{L}\p{N}+#]+$/gu;

/**
 * Returns the phrases of one to three words in a title, in lower case like tag names. A long title is cut before its
 * phrases are searched for.
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
