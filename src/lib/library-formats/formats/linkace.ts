import { csvFormat } from '../reading/csv-format.js';
import { itemFrom, NoItem } from '../reading/item-from.js';
import { unixSeconds } from '../reading/seconds.js';

/** The format of LinkAce's table of links, which contains the names of tags and lists. */
export const linkace = csvFormat({
  name: 'linkace',
  recognitions: [{ has: ['url', 'user_id', 'check_disabled', 'deleted_at'] }],
  leftOut: {
    page: ['icon', 'thumbnail'],
    id: ['id', 'user_id'],
    // Ignores `status`, because this column contains the result of the last link check, not a reading status.
    setting: ['is_private', 'visibility', 'status', 'check_disabled', 'last_checked_at'],
  },
  itemOf: (row) =>
    row.text('deleted_at') === ''
      ? itemFrom({
          url: row.text('url'),
          title: row.text('title'),
          tags: row.text('tags').split(','),
          folders: row
            .text('lists')
            .split(',')
            .map((name) => [name]),
          timeAdded: unixSeconds(row.text('created_at')),
          timeUpdated: unixSeconds(row.text('updated_at')),
          note: row.text('description'),
        })
      : new NoItem('The link was deleted before the export.'),
});
