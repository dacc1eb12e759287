import type { ItemToImport } from '../format.js';
import { csvFormat } from '../reading/csv-format.js';
import { itemFrom, NoItem } from '../reading/item-from.js';
import { tagList } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/**
 * The folders that Instapaper itself creates, with the status or favorite flag of their items. Users have created all
 * other folders.
 */
export const FOLDERS = new Map<string, Pick<ItemToImport, 'status' | 'favorite'>>([
  ['', {}],
  ['unread', { status: 0 }],
  ['archive', { status: 1 }],
  ['starred', { favorite: 1 }],
  ['liked', { favorite: 1 }],
]);

/**
 * The format of the table that Instapaper exports: `URL,Title,Selection,Folder,Timestamp`. Exports since 2025 also have
 * the column `Tags`, which contains a JSON list.
 */
export const instapaper = csvFormat({
  name: 'instapaper',
  recognitions: [{ has: ['url', 'title', 'selection', 'folder'] }],
  itemOf: (row) => {
    const state = FOLDERS.get(row.text('folder').toLowerCase());
    return itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: tagList(row.text('tags')),
      folders: state === undefined ? [[row.text('folder')]] : [],
      annotations: [{ quote: row.text('selection') }],
      timeAdded: unixSeconds(row.text('timestamp')),
      ...(state ?? { status: 0 }),
    });
  },
});

/**
 * The format of the table that Readwise Reader exports: `Title,URL,ID,Document tags,Saved date,Reading
 * progress,Location,Seen`.
 */
export const readwise = csvFormat({
  name: 'readwise',
  recognitions: [{ has: ['url', 'document tags', 'saved date', 'location'] }],
  leftOut: { id: ['id'], setting: ['reading progress', 'seen'] },
  itemOf: (row) => {
    const location = row.text('location').toLowerCase();
    return location === 'feed'
      ? new NoItem('It came with a feed and was never saved.')
      : itemFrom({
          url: row.text('url'),
          title: row.text('title'),
          tags: [...tagList(row.text('document tags')), location === 'shortlist' ? location : ''],
          status: location === 'archive' ? 1 : 0,
          timeAdded: unixSeconds(row.text('saved date')),
        });
  },
});
