import { cut, withoutControls } from '../../lib/util/clean-text.js';

/**
 * Returns a text in NFC and lower case, for comparisons that ignore case. Replaces ς with σ, because JavaScript
 * converts a capital Σ to ς at the end of a word, and to σ elsewhere. Without the replacement, a search text that ends
 * in Σ would not match in the middle of a word.
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

/**
 * Returns the title to show: the title from the client or the title of the page, in the order that `prefersGivenTitle`
 * determines. Returns the saved URL if both titles are missing.
 */
export function shownTitle(texts: Omit<ItemTexts, 'resolvedUrl'>): string {
  const [first, second] = texts.prefersGivenTitle
    ? [texts.givenTitle, texts.resolvedTitle]
    : [texts.resolvedTitle, texts.givenTitle];
  return first || second || texts.givenUrl;
}

/** Returns the sort key for the order by title: the title without diacritics, so that ä and a are sorted together. */
export const titleKey = (texts: ItemTexts): string =>
  cut(withoutMarks(folded(shownTitle(texts))), MAX_TITLE_KEY);

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/**
 * Returns the text for searches in titles and URLs. Each title and URL is on its own line, so that no match extends
 * over two of them.
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
/** Matches punctuation before and after a word, but not `+` and `#` at the end of a word, as in `c++` and `c#`. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}+#])[^\p{L}\p{N}+#]+$/gu;

/**
 * Returns the phrases of one to three words in the first 40 words of a title. The phrases are in lower case, so that
 * they can be compared with the keys of tags.
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
