import { type Message, message } from '../../platform/i18n/message.js';
import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { TimeOrder } from '../../reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../reading-list/query/items-wanted.js';

/** The lists for which every user has a feed. In addition, every tag has a feed. */
export const LISTS = {
  unread: {
    title: message('list.states.unread'),
    filter: { state: 'unread' },
    time: 'time_added',
  },
  archive: {
    title: message('list.states.archive'),
    filter: { state: 'archive' },
    time: 'time_read',
  },
  favorites: {
    title: message('list.states.favorites'),
    filter: { favorite: true },
    time: 'time_favorited',
  },
} as const satisfies Record<string, Omit<FeedChoice, 'path' | 'key'>>;

const FORMATS = ['atom', 'json'] as const;
export type FeedFormat = (typeof FORMATS)[number];

/** Describes a feed: its items, and the time by which they are sorted. */
export interface FeedChoice {
  readonly title: Message;
  readonly filter: ItemFilter;
  readonly time: TimeOrder;
  /** The last part of the feed's address, without the file extension. */
  readonly path: string;
  /**
   * A text that identifies the feed among the feeds of a user. Tag names that differ only in upper and lower case have
   * the same key.
   */
  readonly key: string;
}

/** The feed and the format that a client requests. */
export interface FeedAsked {
  readonly choice: FeedChoice;
  readonly format: FeedFormat;
}

const FEED_SIZE = 50;

/** Returns the list query for the newest items of a feed. */
export const itemsOf = ({ filter, time }: FeedChoice): ItemsWanted => ({
  filter,
  order: 'newest',
  timeOrder: time,
  page: { count: FEED_SIZE, offset: 0 },
});

/**
 * Parses the file name of a feed, such as `unread.atom`. Returns undefined if the list or the format does not exist.
 */
export function listAsked(file: string): FeedAsked | undefined {
  const { name, format } = partsOfFile(file);
  return isList(name) && format !== undefined
    ? { format, choice: { ...LISTS[name], path: name, key: name } }
    : undefined;
}

/**
 * Parses the file name of the feed of a tag: the tag name, followed by `.atom` or `.json`. Returns undefined if the tag
 * name or the format is invalid. If no item has the tag, the feed is empty.
 */
export function tagAsked(file: string): FeedAsked | undefined {
  const { name, format } = partsOfFile(file);
  const tag = parseTagName(name);
  return tag === undefined || format === undefined
    ? undefined
    : {
        format,
        choice: {
          title: message('list.book.tag', { value: tag.name }),
          filter: { tag: { key: tag.key } },
          time: 'time_added',
          path: `tag/${encodeURIComponent(tag.name)}`,
          key: `tag/${tag.key}`,
        },
      };
}

const isList = (name: string): name is keyof typeof LISTS => Object.hasOwn(LISTS, name);

interface FileParts {
  readonly name: string;
  readonly format: FeedFormat | undefined;
}

/** Divides the file name of a feed into the name and the extension of the format. */
export function partsOfFile(file: string): FileParts {
  const format = FORMATS.find((one) => file.endsWith(`.${one}`));
  return { name: format === undefined ? file : file.slice(0, -format.length - 1), format };
}
