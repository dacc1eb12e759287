import { csvFormat } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { joinTexts } from '../reading/read-value.js';

/** The format of a list of saved pages that Google Takeout exports: `Title,Note,URL,Tags,Comment`. */
export const googleSaved = csvFormat({
  name: 'google-saved',
  recognitions: [{ has: ['title', 'note', 'url', 'comment'] }],
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split(','),
      note: joinTexts(row.text('note'), row.text('comment')),
    }),
});
