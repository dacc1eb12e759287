import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { flagOfWord } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/**
 * The format of `_matter_history.csv` in Matter's export. In older versions of the export, the column `In Queue` has
 * the name `Saved`.
 */
export const matter = csvFormat({
  name: 'matter',
  recognitions: [{ has: ['url', 'highlight count', 'last interaction date'] }],
  // Matter exports highlights in a separate table. Satchel ignores this table, because it lacks the addresses of pages.
  leftOut: { page: ['author', 'publisher', 'word count'], id: ['file id', 'highlight count'] },
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split(/[;,]/),
      status: statusOf(row),
      favorite: row.meaning('favorited', flagOfWord),
      timeAdded: unixSeconds(row.text('last interaction date')),
    }),
});

/**
 * Returns the status of a row. The column `In Queue` wins over the column `read`, because Matter shows a queued page as
 * unread.
 */
function statusOf(row: CsvRow): 0 | 1 | undefined {
  const isQueued = row.meaning('in queue', flagOfWord) ?? row.meaning('saved', flagOfWord);
  const isRead = row.meaning('read', flagOfWord);
  return isQueued === undefined ? isRead : isQueued === 1 ? 0 : 1;
}
