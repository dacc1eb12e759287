import type { ItemFilter, ItemOrder } from '../list/item-filter.js';

/** What clients call the states; `all` narrows nothing. */
export const STATES: Readonly<Record<string, ItemFilter['state']>> = {
  unread: 'unread',
  queue: 'unread',
  archive: 'archive',
  read: 'archive',
  all: undefined,
};

export const CONTENT_TYPES: Readonly<Record<string, ItemFilter['contentType']>> = {
  article: 'article',
  video: 'video',
  image: 'image',
  all: undefined,
};

/** The original answered its last three orders with the newest first. */
export const ORDERS: Readonly<Record<string, ItemOrder>> = {
  newest: 'newest',
  oldest: 'oldest',
  title: 'title',
  site: 'site',
  relevance: 'newest',
  longest: 'newest',
  shortest: 'newest',
};

export const DETAIL_TYPES = { simple: 'simple', complete: 'complete' } as const;
