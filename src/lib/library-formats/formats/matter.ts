import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { flagOfWord } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/**
 * The format of `_matter_history.csv` in Matter's export. In older versions, the column `In Queue` is called `Saved`.
 */
export const matter = csvFormat({
  name: 'matter',
  recognitions: [{ has: ['url', 'highlight count', 'last interaction date'] }],
  // The table has no highlights. Matter exports them in another table, which contains no addresses.
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
 * Returns the status of a row. The column for the queue wins over `read`, because Matter shows queued pages as unread.
 */
function statusOf(row: CsvRow): 0 | 1 | undefined {
  const isQueued = row.meaning('in queue', flagOfWord) ?? row.meaning('saved', flagOfWord);
  const isRead = row.meaning('read', flagOfWord);
  return isQueued === undefined ? isRead : isQueued === 1 ? 0 : 1;
}
