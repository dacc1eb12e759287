import { allowedInXml } from '../../lib/util/xml.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../reading-list/get/item.presenter.js';
import { mediaOf, resolvedTitleOf, resolvedUrlOf } from '../../reading-list/get/page.presenter.js';
import { hostOf, hrefOf } from '../../reading-list/list/address.js';
import type { OpenedItem } from '../articles.service.js';
import { isRightToLeft, languageOf, uriOf } from './epub-values.js';

/** The metadata of an article that its chapter in a book shows. */
export interface ChapterFacts {
  readonly title: string;
  /** The language of the article as a BCP 47 tag. Undefined if the language is unknown. */
  readonly language: string | undefined;
  readonly isRightToLeft: boolean;
  readonly authors: readonly string[];
  readonly site: string;
  /** The publication date of the article as YYYY-MM-DD. */
  readonly published: string | undefined;
  /** The publication date of the article as a text for readers. */
  readonly publishedText: string | undefined;
  readonly minutes: number;
  /** The address of the original page as a valid URI. Undefined if the address cannot be written as a URI. */
  readonly source: string | undefined;
  readonly address: string;
  readonly tags: readonly string[];
  /**
   * The time at which the item was saved. A book contains no other times, so that two books with equal content are
   * identical files.
   */
  readonly savedAt: Date;
}

const MOST_AUTHORS = 10;
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export const titleOf = (item: ItemRow): string =>
  lineOf(resolvedTitleOf(item)) || lineOf(item.given_url) || 'Untitled';

export function factsOf({ item, page }: OpenedItem): ChapterFacts {
  const language = languageOf(item.lang);
  return {
    title: titleOf(item),
    language,
    isRightToLeft: isRightToLeft(language),
    authors: authorsOf(item),
    site: (hostOf(resolvedUrlOf(item)) ?? '').replace(/^www\./, ''),
    ...datesOf(page),
    minutes: minutesToRead(item.word_count),
    source: uriOf(hrefOf(item.given_url) ?? ''),
    address: lineOf(item.given_url),
    tags: item.tags.map(lineOf).filter((tag) => tag !== ''),
    savedAt: new Date(Number(item.time_added) * 1000),
  };
}

function datesOf(page: OpenedItem['page']): Pick<ChapterFacts, 'published' | 'publishedText'> {
  const published = dateOf(page?.page.facts.datePublished);
  return {
    published: published?.toISOString().slice(0, 'YYYY-MM-DD'.length),
    publishedText: published && DAY.format(published),
  };
}

/** Removes characters that XML forbids, and replaces line breaks by spaces. */
const lineOf = (text: string): string => allowedInXml(text).replaceAll(/\s+/g, ' ').trim();

const authorsOf = (item: ItemRow): string[] =>
  mediaOf(item)
    .authors.slice(0, MOST_AUTHORS)
    .map(({ name }) => lineOf(name))
    .filter((name) => name !== '');

/** Parses a publication date. Returns undefined if the text is not a date with a four-digit year. */
function dateOf(text: string | null | undefined): Date | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) || !/^\d{4}-/.test(date.toISOString()) ? undefined : date;
}

/** Returns the parts of the line that a chapter shows below its title: authors, date, site and reading time. */
export const lineOfFacts = ({
  authors,
  publishedText,
  site,
  minutes,
}: ChapterFacts): readonly string[] =>
  [authors.join(', '), publishedText ?? '', site, minutes === 0 ? '' : `${minutes} min`].filter(
    (fact) => fact !== '',
  );

/**
 * Returns the sentence that a chapter shows if its article is missing. Returns undefined if the page has an article.
 */
export function noticeOf({ page, isWaiting }: OpenedItem): string | undefined {
  if (page === undefined) {
    return isWaiting
      ? 'This page is not read yet. The text is here when the book is made again later.'
      : 'This page could not be read. The link above leads to the original.';
  }
  return page.html === undefined
    ? 'No text was found on this page. The link above leads to the original.'
    : undefined;
}
