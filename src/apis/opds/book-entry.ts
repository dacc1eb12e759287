import { EPUB_TYPE } from '../../articles/epub/epub.service.js';
import { element, emptyElement, textElement } from '../../lib/util/xml.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../reading-list/get/page.presenter.js';
import { authorsOf, formatTime, languageOf, lineOf, uuidUrn } from '../feeds/feed-values.js';
import { type CatalogueWriter, link, person } from './catalogue-feed.js';

const RELATION = 'http://opds-spec.org';

/** The data of one book in the catalogue. */
interface BookOfItem {
  readonly userId: string;
  readonly row: ItemRow;
  /** The path of the item's thumbnail image. */
  readonly picturePath: string | undefined;
}

/**
 * Returns the path of a book. The path must never change, because some e-readers find new books by
 * the path of the last book that they fetched.
 */
const bookPath = (itemId: string): string => `/opds/items/${itemId}/article-${itemId}.epub`;

export const titleOf = (row: ItemRow): string =>
  lineOf(resolvedTitleOf(row)) || lineOf(row.given_url);

/** Returns the time of the item's latest change, in Unix seconds. */
export const updatedOf = (row: ItemRow): number =>
  Math.max(Number(row.time_added), Number(row.time_updated));

export function bookEntry(
  { userId, row, picturePath }: BookOfItem,
  { at }: CatalogueWriter,
): string {
  const lang = languageOf(row);
  const excerpt = lineOf(row.excerpt);
  return element('entry', {}, [
    textElement('id', uuidUrn(`opds ${userId}/${row.item_id}`)),
    textElement('title', titleOf(row)),
    textElement('updated', formatTime(updatedOf(row))),
    textElement('published', formatTime(Number(row.time_added))),
    ...authorsOf(row).map(person),
    ...(lang === undefined ? [] : [textElement('dc:language', lang)]),
    ...row.tags
      .map(lineOf)
      .filter((tag) => tag !== '')
      .map((term) => emptyElement('category', { term, label: term })),
    ...(excerpt === '' ? [] : [textElement('summary', excerpt, { type: 'text' })]),
    link({ rel: `${RELATION}/acquisition`, href: at(bookPath(row.item_id)), type: EPUB_TYPE }),
    ...(picturePath === undefined ? [] : pictureLinks(at(picturePath))),
    link({ rel: 'alternate', href: at(`/read/${row.item_id}`), type: 'text/html' }),
  ]);
}

const pictureLinks = (href: string): string[] =>
  ['image', 'image/thumbnail'].map((name) =>
    link({ rel: `${RELATION}/${name}`, href, type: 'image/jpeg' }),
  );
