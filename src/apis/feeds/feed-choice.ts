import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { TimeOrder } from '../../reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../reading-list/query/items-wanted.js';

/** The feeds of every user: one feed for each of these lists. Each tag has a feed too. */
export const LISTS = {
  unread: { title: 'Unread', filter: { state: 'unread' }, time: 'time_added' },
  archive: { title: 'Archive', filter: { state: 'archive' }, time: 'time_read' },
  favorites: { title: 'Favorites', filter: { favorite: true }, time: 'time_favorited' },
} as const satisfies Record<string, Omit<FeedChoice, 'path' | 'key'>>;

const FORMATS = ['atom', 'json'] as const;
export type FeedFormat = (typeof FORMATS)[number];

/** Describes a feed: its items, and the time by which they are sorted. */
export interface FeedChoice {
  readonly title: string;
  readonly filter: ItemFilter;
  readonly time: TimeOrder;
  /** The last part of the feed's address, without the file extension. */
  readonly path: string;
  /** A text that identifies the feed. For the feed of a tag, the text ignores upper and lower case. */
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

/** Parses a file name such as `unread.atom`. Returns undefined if no list has this name. */
export function listAsked(file: string): FeedAsked | undefined {
  const { name, format } = parted(file);
  return isList(name) && format !== undefined
    ? { format, choice: { ...LISTS[name], path: name, key: name } }
    : undefined;
}

/**
 * Parses a tag name that ends with `.atom` or `.json`. Returns undefined if the name or the format is invalid. A tag
 * without items has an empty feed.
 */
export function tagAsked(file: string): FeedAsked | undefined {
  const { name, format } = parted(file);
  const tag = parseTagName(name);
  return tag === undefined || format === undefined
    ? undefined
    : {
        format,
        choice: {
          title: `Tag ${tag.name}`,
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

function parted(file: string): FileParts {
  const format = FORMATS.find((one) => file.endsWith(`.${one}`));
  return { name: format === undefined ? file : file.slice(0, -format.length - 1), format };
}
