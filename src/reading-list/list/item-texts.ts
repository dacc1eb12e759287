import { cut, withoutControls } from '../../lib/util/clean-text.js';

/**
 * Text as it is compared without case: NFC, lower case. Search, title order and tags share this one rule. A final
 * sigma is a sigma: which of the two a capital becomes depends on what follows, and a part of a text must be found.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

const MAX_CODE_POINTS = 1000;

/** A title as a client sends it: trimmed, without control characters, cut where it is longer than any title; undefined when nothing is left. */
export function givenTitle(text: string): string | undefined {
  const title = withoutControls(text).trim();
  // Some clients print a missing title.
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

/** What is shown: a title that was given or found, else the URL. */
export function shownTitle(texts: Omit<ItemTexts, 'resolvedUrl'>): string {
  const [first, second] = texts.prefersGivenTitle
    ? [texts.givenTitle, texts.resolvedTitle]
    : [texts.resolvedTitle, texts.givenTitle];
  return first || second || texts.givenUrl;
}

/** What sort by title compares: without marks, so that ä stands beside a. */
export const titleKey = (texts: ItemTexts): string =>
  cut(withoutMarks(folded(shownTitle(texts))), MAX_TITLE_KEY);

const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/** What search looks through: titles and URLs, one a line, so that no match spans two. */
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
/** What stands around a word; `c++` and `c#` are words. */
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}+#])[^\p{L}\p{N}+#]+$/gu;

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
