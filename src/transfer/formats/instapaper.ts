import type { ItemToImport } from '../item-to-import.js';
import { csvFormat } from './csv/csv-format.js';
import type { CsvRow } from './csv/csv-row.js';
import { itemFrom } from './values/item-from.js';
import { unixSeconds } from './values/seconds.js';
import { tagList } from './values/tag-list.js';

type State = Pick<ItemToImport, 'status' | 'favorite'>;

/** Those that the service has by itself; all others are the person's, and become a tag. */
const FOLDERS = new Map<string, State>([
  ['', {}],
  ['unread', { status: 0 }],
  ['archive', { status: 1 }],
  ['starred', { favorite: 1 }],
]);

/** `URL,Title,Selection,Folder,Timestamp`, since 2025 with `Tags`, which is a list of JSON. */
export const instapaper = csvFormat({
  name: 'instapaper',
  matches: (head) => head.hasColumns('url', 'title', 'selection', 'folder'),
  itemOf: (row) => {
    const state = FOLDERS.get(row.text('folder').toLowerCase());
    return itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: [...(state === undefined ? [row.text('folder')] : []), ...tagList(row.text('tags'))],
      annotations: [{ quote: row.text('selection') }],
      timeAdded: addedOf(row),
      ...(state ?? { status: 0 }),
    });
  },
});

const addedOf = (row: CsvRow): number | undefined => unixSeconds(row.text('timestamp'));
