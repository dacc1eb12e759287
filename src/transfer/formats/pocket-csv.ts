import { csvFormat } from './csv/csv-format.js';
import { itemFrom } from './values/item-from.js';
import { POCKET_STATUSES } from './values/pocket-statuses.js';
import { unixSeconds } from './values/seconds.js';

/** A part of Pocket's export: `title,url,time_added,tags,status`, in its first months with `cursor`. */
export const pocketCsv = csvFormat({
  name: 'pocket-csv',
  matches: (head) => head.hasColumns('url', 'time_added', 'tags', 'status'),
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split('|'),
      status: POCKET_STATUSES.get(row.text('status').toLowerCase()),
      timeAdded: unixSeconds(row.text('time_added')),
    }),
});
