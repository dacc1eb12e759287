import { csvFormat } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { unixSeconds } from '../reading/seconds.js';

const DAY = /^(?<day>\d{2})\/(?<month>\d{2})\/(?<year>\d{4})(?= |$)/;

/**
 * The format of the table that wallabag exports: `Title;URL;Content;Tags;MIME Type;Language;Creation date`. The table
 * has no columns for the status and the favorites.
 */
export const wallabagCsv = csvFormat({
  name: 'wallabag-csv',
  recognitions: [{ has: ['url', 'content', 'mime type', 'creation date'] }],
  leftOut: { page: ['content', 'mime type', 'language'] },
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split(','),
      timeAdded: secondsOfDay(row.text('creation date')),
    }),
});

/**
 * Returns the unix seconds of noon (UTC) on the day of a date. The time of day is unknown, because wallabag writes
 * hours from 1 to 12 without AM or PM, and no time zone.
 */
function secondsOfDay(text: string): number | undefined {
  const { day, month, year } = DAY.exec(text)?.groups ?? {};
  return unixSeconds(day === undefined ? text : `${year}-${month}-${day}T12:00:00Z`);
}
