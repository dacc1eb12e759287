import { csvFormat } from './csv/csv-format.js';
import { itemFrom } from './values/item-from.js';
import { unixSeconds } from './values/seconds.js';

const STATUSES = new Map<string, 0 | 1>([
  ['unread', 0],
  ['archive', 1],
]);

/** A part of Pocket's export: `title,url,time_added,tags,status`, in its first months with `cursor`. */
export const pocketCsv = csvFormat({
  name: 'pocket-csv',
  matches: (head) => head.hasColumns('url', 'time_added', 'tags', 'status'),
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split('|'),
      status: STATUSES.get(row.text('status').toLowerCase()),
      timeAdded: unixSeconds(row.text('time_added')),
    }),
});
