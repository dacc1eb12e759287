import type { AnnotationToImport } from '../format.js';
import { csvFormat, type CsvRow } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { unixSeconds } from '../reading/seconds.js';

/**
 * The types of cards in mymind for which the field `content` is a text that the user selected. For other types of
 * cards, the field contains the text of the page.
 */
const SELECTED_TEXTS: ReadonlySet<string> = new Set(['content', 'quote', 'snippet', 'highlight']);

/** The format of the file `cards.csv` from mymind, with the columns `id,type,title,url,content,note,tags,created`. */
export const mymind = csvFormat({
  name: 'mymind',
  recognitions: [{ has: ['id', 'type', 'url', 'content', 'note', 'created'] }],
  leftOut: { page: ['content'], id: ['id'] },
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split(','),
      timeAdded: unixSeconds(row.text('created')),
      annotations: quotesIn(row),
      note: row.text('note'),
    }),
});

const quotesIn = (row: CsvRow): readonly AnnotationToImport[] =>
  SELECTED_TEXTS.has(row.text('type').toLowerCase()) ? [{ quote: row.text('content') }] : [];
