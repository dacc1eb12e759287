import { folded } from './folding.js';
import { cut } from './given-title.js';

const MAX_TITLE_KEY = 500;

/** The texts of an item that people see, sort by and search in. */
export interface ItemTexts {
  readonly givenUrl: string;
  readonly givenTitle: string;
  /** The given title wins over the found one (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** What is shown: a title that was given or found, the URL while there is none. */
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
