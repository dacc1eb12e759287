import { isRightToLeft } from '../../lib/util/language-tag.js';
import { allowedInXml } from '../../lib/util/xml.js';
import { type Message, message } from '../../platform/i18n/message.js';
import type { Translator } from '../../platform/i18n/translator.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../reading-list/get/item.presenter.js';
import { mediaOf, resolvedTitleOf, resolvedUrlOf } from '../../reading-list/get/page.presenter.js';
import { hostOf, hrefOf } from '../../reading-list/list/address.js';
import type { OpenedItem } from '../articles.service.js';
import { languageOf, uriOf } from './epub-values.js';

/** The metadata of an article that a chapter of a book shows. */
export interface ChapterFacts {
  readonly title: string;
  /** The language of the article as a BCP 47 tag. Undefined if the language is unknown. */
  readonly language: string | undefined;
  readonly isRightToLeft: boolean;
  readonly authors: readonly string[];
  readonly site: string;
  /** The publication date of the article as YYYY-MM-DD. */
  readonly published: string | undefined;
  readonly publishedOn: Date | undefined;
  readonly minutes: number;
  /** The address of the original page as a valid URI. Undefined if the address cannot be written as a URI. */
  readonly source: string | undefined;
  readonly address: string;
  readonly tags: readonly string[];
  /**
   * The time at which the item was saved. A book contains this time instead of the current time, so that two books with
   * equal content are identical files.
   */
  readonly savedAt: Date;
}

const MOST_AUTHORS = 10;

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

function datesOf(page: OpenedItem['page']): Pick<ChapterFacts, 'published' | 'publishedOn'> {
  const publishedOn = dateOf(page?.page.facts.datePublished);
  return { published: publishedOn?.toISOString().slice(0, 'YYYY-MM-DD'.length), publishedOn };
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
export const lineOfFacts = (
  { authors, publishedOn, site, minutes }: ChapterFacts,
  translator: Translator,
): readonly string[] =>
  [
    authors.join(', '),
    publishedOn === undefined ? '' : translator.day(publishedOn),
    site,
    minutes === 0 ? '' : translator.text('epub.minutes', { minutes }),
  ].filter((fact) => fact !== '');

/**
 * Returns the message that a chapter shows if its article is missing. Returns undefined if the page has an article.
 */
export function noticeOf({ page, isWaiting }: OpenedItem): Message | undefined {
  if (page === undefined) {
    return message(isWaiting ? 'epub.waiting' : 'epub.notFetched');
  }
  return page.html === undefined ? message('epub.noText') : undefined;
}
