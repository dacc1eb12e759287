import { csvFormat } from './csv/csv-format.js';
import type { CsvRow } from './csv/csv-row.js';
import { itemFrom } from './values/item-from.js';
import { flagOf } from './values/read-value.js';
import { isRootFolder } from './values/root-folder.js';
import { unixSeconds } from './values/seconds.js';
import { tagList } from './values/tag-list.js';

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

/** Any table with a column for URLs, such as Raindrop's: the other columns by their usual names. */
export const genericCsv = csvFormat({
  name: 'csv',
  matches: (head) => URLS.some((column) => head.hasColumns(column)),
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
