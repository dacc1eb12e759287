import { type ImageAddresses } from '../../../articles/images/image-addresses.js';
import { thumbnailSource } from '../../../articles/images/images.service.js';
import { cut } from '../../../lib/util/clean-text.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../../reading-list/get/item.presenter.js';
import { mediaOf, resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress } from '../../../reading-list/list/address.js';
import type { Passage } from '../../../reading-list/texts/passage.js';
import type { PassagesByItem } from '../../../reading-list/texts/passages.service.js';
import { sitePath, tagPath } from './list-links.js';
import { articlePath, type ListOrigin } from './list-origin.js';

export interface TagLink {
  readonly name: string;
  readonly href: string;
}

/** The properties of an item that the list shows. */
export interface ItemCard {
  readonly id: string;
  /** The path of the article, which contains the page of the list. */
  readonly href: string;
  readonly title: string;
  readonly site: { readonly name: string; readonly href: string } | undefined;
  /** The names of the authors, separated by commas. Empty if they are unknown. */
  readonly authors: string;
  readonly savedAt: Date;
  /** The time since which the page is gone from the web. Undefined if it exists, or if it was never checked. */
  readonly goneSince: Date | undefined;
  /** The beginning of the article. Empty if it is unknown, or if a search shows a passage instead. */
  readonly excerpt: string;
  /** The reading time in minutes. Undefined if the item is not an article. */
  readonly minutes: number | undefined;
  readonly tags: readonly TagLink[];
  /** The address at which this service serves a thumbnail of the item. */
  readonly thumbnail: string | undefined;
  readonly isFavorite: boolean;
  readonly isArchived: boolean;
  /** The reading progress in percent. Undefined if the user has not begun to read. */
  readonly progress: number | undefined;
  /** The passage of the article that matches the search. */
  readonly passage: Passage | undefined;
  /** The reason why the page could not be fetched. Undefined in views that do not show it. */
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly text: Message;
  /** True if the page is queued to be fetched again. */
  readonly isWaiting: boolean;
}

/** The data that the list shows for an item, in addition to the database row of the item. */
interface CardContext {
  readonly userId: string;
  readonly addresses: ImageAddresses;
  /** The reading progress of items in percent, keyed by item id. */
  readonly progress: ReadonlyMap<string, number>;
  readonly passages: PassagesByItem;
  readonly failures: ReadonlyMap<string, Failure>;
  readonly origin: ListOrigin;
}

const MS = 1000;
const MAX_EXCERPT = 240;
const MAX_AUTHORS = 80;

/** Returns the properties of an item that the list shows. */
export function cardOf(
  row: ItemRow,
  { userId, addresses, progress, passages, failures, origin }: CardContext,
): ItemCard {
  const itemId = row.item_id;
  const src = thumbnailSource(row);
  return {
    id: itemId,
    href: articlePath(itemId, origin),
    title: resolvedTitleOf(row),
    site: siteOf(row.given_url),
    authors: authorsOf(row),
    savedAt: new Date(Number(row.time_added) * MS),
    goneSince: goneSinceOf(row),
    excerpt: passages.has(itemId) ? '' : excerptOf(row),
    minutes: row.is_article === 1 ? Math.max(1, minutesToRead(row.word_count)) : undefined,
    tags: row.tags.map((name) => ({ name, href: tagPath(name) })),
    thumbnail: src && addresses.thumbnailPathOf({ userId, itemId, src }),
    isFavorite: row.favorite === 1,
    isArchived: row.status === 1,
    progress: progress.get(itemId),
    passage: passages.get(itemId),
    failure: failures.get(itemId),
  };
}

/** Returns the time since which the page is gone from the web. */
export const goneSinceOf = ({ gone_since: since }: ItemRow): Date | undefined =>
  since === '0' ? undefined : new Date(Number(since) * MS);

const authorsOf = (row: ItemRow): string => {
  const names = mediaOf(row).authors.map(({ name }) => name);
  return shortened(names.join(', '), MAX_AUTHORS);
};

const excerptOf = ({ excerpt }: ItemRow): string =>
  shortened(excerpt.replaceAll(/\s+/g, ' ').trim(), MAX_EXCERPT);

const shortened = (text: string, length: number): string =>
  text.length > length ? `${cut(text, length).trimEnd()}…` : text;

/** Returns the site of the saved address, with a link to the user's items from this site. */
function siteOf(url: string): ItemCard['site'] {
  const name = normalAddress(url)?.domain;
  return name === undefined ? undefined : { name, href: sitePath(name) };
}
