import { parseTagName } from '../../reading-list/list/tag-name.js';
import type { ItemFilter, ItemsWanted, TimeOrder } from '../../reading-list/query/items-wanted.js';

/** What an address may ask for beside the feed of a tag. */
export const LISTS = {
  unread: { title: 'Unread', filter: { state: 'unread' }, time: 'time_added' },
  archive: { title: 'Archive', filter: { state: 'archive' }, time: 'time_read' },
  favorites: { title: 'Favorites', filter: { favorite: true }, time: 'time_favorited' },
} as const satisfies Record<string, Omit<FeedChoice, 'path' | 'key'>>;

const FORMATS = ['atom', 'json'] as const;
export type FeedFormat = (typeof FORMATS)[number];

/** Which items of a list a feed has, and by which of their times they come into it. */
export interface FeedChoice {
  readonly title: string;
  readonly filter: ItemFilter;
  readonly time: TimeOrder;
  /** What its address ends with, before the format. */
  readonly path: string;
  /** The same for all spellings of a tag. */
  readonly key: string;
}

/** What an address asks for. */
export interface FeedAsked {
  readonly choice: FeedChoice;
  readonly format: FeedFormat;
}

const FEED_SIZE = 50;

/** The latest items of the feed. */
export const itemsOf = ({ filter, time }: FeedChoice): ItemsWanted => ({
  filter,
  order: 'newest',
  timeOrder: time,
  page: { count: FEED_SIZE, offset: 0 },
});

/** `unread.atom`; undefined for a file that no address has. */
export function listAsked(file: string): FeedAsked | undefined {
  const { name, format } = parted(file);
  return isList(name) && format !== undefined
    ? { format, choice: { ...LISTS[name], path: name, key: name } }
    : undefined;
}

/** The name of a tag, and `.atom` or `.json`; undefined for what can be no tag. A tag that no item has is an empty feed. */
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
