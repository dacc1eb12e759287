import type { ItemToImport } from '../format.js';
import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom, NoItem } from '../reading/item-from.js';
import { flagOf, isRootFolder, tagList } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/** Those that Instapaper has by itself; all others are the user's, and become a tag. */
export const FOLDERS = new Map<string, Pick<ItemToImport, 'status' | 'favorite'>>([
  ['', {}],
  ['unread', { status: 0 }],
  ['archive', { status: 1 }],
  ['starred', { favorite: 1 }],
  ['liked', { favorite: 1 }],
]);

/** The usual names of columns. */
const URLS = ['url', 'link', 'href', 'uri', 'address'] as const;
const TITLES = ['title', 'name'] as const;
const TAGS = ['tags', 'labels', 'keywords'] as const;
const NOTES = ['note', 'notes'] as const;
const ADDED = ['time_added', 'created', 'created_at', 'date_added', 'added', 'timestamp'] as const;
const FAVORITES = ['favorite', 'favourite', 'favorited', 'starred', 'important'] as const;
const STATES = ['status', 'state'] as const;

const STATUSES = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
  ['archived', 1],
  ['read', 1],
]);

/** `URL,Title,Selection,Folder,Timestamp`, since 2025 with `Tags`, which is a list of JSON. */
export const instapaper = csvFormat({
  name: 'instapaper',
  recognitions: [{ has: ['url', 'title', 'selection', 'folder'] }],
  itemOf: (row) => {
    const state = FOLDERS.get(row.text('folder').toLowerCase());
    return itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: [...(state === undefined ? [row.text('folder')] : []), ...tagList(row.text('tags'))],
      annotations: [{ quote: row.text('selection') }],
      timeAdded: unixSeconds(row.text('timestamp')),
      ...(state ?? { status: 0 }),
    });
  },
});

/** `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`, as Reader exports its library. */
export const readwise = csvFormat({
  name: 'readwise',
  recognitions: [{ has: ['url', 'document tags', 'saved date', 'location'] }],
  itemOf: (row) => {
    const location = row.text('location').toLowerCase();
    return location === 'feed'
      ? new NoItem('It came with a feed and was never saved.')
      : itemFrom({
          url: row.text('url'),
          title: row.text('title'),
          tags: tagList(row.text('document tags')),
          status: location === 'archive' ? 1 : 0,
          timeAdded: unixSeconds(row.text('saved date')),
        });
  },
});

/** Any table with a column for URLs, such as Raindrop's: the other columns by their usual names. */
export const genericCsv = csvFormat({
  name: 'csv',
  recognitions: [{ has: [URLS] }],
  itemOf: (row) =>
    itemFrom({
      url: row.text(...URLS),
      title: row.text(...TITLES),
      tags: [...folderOf(row), ...divided(row.text(...TAGS))],
      status: STATUSES.get(row.text(...STATES).toLowerCase()) ?? flag(row.text('archived')),
      favorite: flag(row.text(...FAVORITES)),
      timeAdded: unixSeconds(row.text(...ADDED)),
      annotations: [{ quote: row.text(...NOTES) }],
    }),
});

/** Where no comma stands, another sign may divide them. */
const divided = (tags: string): readonly string[] =>
  /[,[]/.test(tags) ? tagList(tags) : tags.split(/[|;]/);

const flag = (text: string): 0 | 1 | undefined => flagOf(text.toLowerCase());

/** A path of folders, as `Research/Go`. */
const folderOf = (row: CsvRow): readonly string[] =>
  row
    .text('folder', 'collection')
    .split('/')
    .filter((name) => !isRootFolder(name));
