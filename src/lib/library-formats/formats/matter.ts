import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { flagOfWord } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/** `_matter_history.csv` of Matter's export. Older versions have the column `Saved` in place of `In Queue`. */
export const matter = csvFormat({
  name: 'matter',
  recognitions: [{ has: ['url', 'highlight count', 'last interaction date'] }],
  // The highlights are in another table, which has no addresses.
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

/** The queue wins over `read`, because Matter shows queued pages as unread. */
function statusOf(row: CsvRow): 0 | 1 | undefined {
  const isQueued = row.meaning('in queue', flagOfWord) ?? row.meaning('saved', flagOfWord);
  const isRead = row.meaning('read', flagOfWord);
  return isQueued === undefined ? isRead : isQueued === 1 ? 0 : 1;
}
