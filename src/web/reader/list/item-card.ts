import { type ImageAddresses } from '../../../articles/images/image-addresses.js';
import { thumbnailSource } from '../../../articles/images/images.service.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../../reading-list/get/item.presenter.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress } from '../../../reading-list/list/address.js';
import type { Passage } from '../../../reading-list/texts/passage.js';
import type { PassagesByItem } from '../../../reading-list/texts/passages.service.js';
import { sitePath, tagPath } from './list-links.js';

export interface TagLink {
  readonly name: string;
  readonly href: string;
}

/** The properties of an item that the list shows. */
export interface ItemCard {
  readonly id: string;
  readonly title: string;
  readonly site: { readonly name: string; readonly href: string } | undefined;
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
}

/** The data that the list shows for an item, in addition to the database row of the item. */
interface CardContext {
  readonly userId: string;
  readonly addresses: ImageAddresses;
  /** The reading progress of items in percent, keyed by item id. */
  readonly progress: ReadonlyMap<string, number>;
  readonly passages: PassagesByItem;
}

/** Returns the properties of an item that the list shows. */
export function cardOf(
  row: ItemRow,
  { userId, addresses, progress, passages }: CardContext,
): ItemCard {
  const itemId = row.item_id;
  const src = thumbnailSource(row);
  return {
    id: itemId,
    title: resolvedTitleOf(row),
    site: siteOf(row.given_url),
    minutes: row.is_article === 1 ? Math.max(1, minutesToRead(row.word_count)) : undefined,
    tags: row.tags.map((name) => ({ name, href: tagPath(name) })),
    thumbnail: src && addresses.thumbnailPathOf({ userId, itemId, src }),
    isFavorite: row.favorite === 1,
    isArchived: row.status === 1,
    progress: progress.get(itemId),
    passage: passages.get(itemId),
  };
}

/** Returns the site of the saved address, with a link to the user's items from this site. */
function siteOf(url: string): ItemCard['site'] {
  const name = normalAddress(url)?.domain;
  return name === undefined ? undefined : { name, href: sitePath(name) };
}
