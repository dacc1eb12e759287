import { csvFormat } from './csv/csv-format.js';
import { itemFrom, NoItem } from './values/item-from.js';
import { unixSeconds } from './values/seconds.js';
import { tagList } from './values/tag-list.js';

/** `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`, as Reader exports its library. */
export const readwise = csvFormat({
  name: 'readwise',
  matches: (head) => head.hasColumns('url', 'document tags', 'saved date', 'location'),
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
