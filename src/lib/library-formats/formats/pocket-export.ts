import { unescapeFormula } from '../../util/csv-formulas.js';
import type { ItemToImport } from '../format.js';
import { csvFormat } from '../reading/csv-format.js';
import { htmlFormat, type Surroundings } from '../reading/html-format.js';
import type { HtmlLink } from '../reading/html-link.js';
import { itemFrom, type NoItem } from '../reading/item-from.js';
import { type JsonDocument, jsonFormat, noContext } from '../reading/json-format.js';
import { listOf, membersOf, POCKET_STATUSES, textOf } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';
import { mark } from '../recognition.js';
import { annotationOf } from './pocket-api.js';

/** The status of the items below each heading of `ril_export.html`. */
const STATUSES = new Map<string, 0 | 1>([
  ['unread', 0],
  ['read archive', 1],
  ['archive', 1],
]);
const HEADINGS = mark(
  'the heading Unread or Read Archive',
  /<h1>\s*(?:unread|read archive)\s*<\/h1>/i,
);
const TITLE = mark('the title Pocket Export', /<title>\s*pocket export\s*<\/title>/i);
const EMPTY_LIST = mark('an empty list', /^\s*\[\s*\]\s*$/);
const MAX_HEADING = 100;

/**
 * The format of a CSV file in Pocket's export: `title,url,time_added,tags,status`. Early versions of the export also
 * have the column `cursor`.
 */
export const pocketCsv = csvFormat({
  name: 'pocket-csv',
  recognitions: [{ has: ['url', 'time_added', 'tags', 'status'] }],
  leftOut: { id: ['cursor'] },
  itemOf: (row) =>
    itemFrom({
      url: unescapeFormula(row.text('url')),
      title: unescapeFormula(row.text('title')),
      tags: unescapeFormula(row.text('tags')).split('|'),
      status: row.meaning('status', (text) => POCKET_STATUSES.get(text.toLowerCase())),
      timeAdded: unixSeconds(row.text('time_added')),
    }),
});

/** The format of `ril_export.html`, which contains links under the headings Unread and Read Archive. */
export const pocketHtml = htmlFormat({
  name: 'pocket-html',
  recognitions: [{ has: [[TITLE, HEADINGS]] }],
  surroundings: () => new Headings(),
});

class Headings implements Surroundings {
  #heading = '';
  #isOpen = false;

  onOpen(name: string): void {
    if (name === 'h1') {
      this.#isOpen = true;
      this.#heading = '';
    }
  }

  onText(text: string): void {
    if (this.#isOpen && this.#heading.length < MAX_HEADING) {
      this.#heading += text;
    }
  }

  onClose(name: string): void {
    this.#isOpen &&= name !== 'h1';
  }

  itemOf(link: HtmlLink): ItemToImport | NoItem {
    return itemFrom({
      url: link.attribute('href'),
      title: link.text,
      tags: (link.attribute('tags') ?? '').split(','),
      status: STATUSES.get(this.#heading.trim().toLowerCase()),
      timeAdded: unixSeconds(link.attribute('time_added') ?? ''),
    });
  }
}

/** The format of `annotations/part_000000.json` in Pocket's export. The file contains only pages with highlights. */
export const pocketAnnotations = jsonFormat({
  name: 'pocket-annotations',
  addsToOthers: true,
  recognitions: [
    { has: ['[].url', '[].highlights.[].quote'], hasNot: ['[].addedAt', '[].savedAt'] },
    { has: [EMPTY_LIST] },
  ],
  rowPaths: ['[]'],
  contextOf: noContext,
  itemOf: (members) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      annotations: listOf(members.get('highlights')).map((one) => annotationOf(membersOf(one))),
    }),
});

/**
 * The format of `collections/<slug>.json` in Pocket's export. The collection is a folder of each page in it.
 */
export const pocketCollection = jsonFormat({
  name: 'pocket-collection',
  addsToOthers: true,
  recognitions: [{ has: ['slug', 'title', 'items'] }],
  leftOut: {
    page: ['excerpt', 'imageUrl'],
    id: ['slug', 'externalId', 'sortOrder'],
    setting: ['createdAt', 'updatedAt', 'publishedAt', 'status'],
  },
  rowPaths: ['items.[]'],
  contextOf: titleOf,
  itemOf: (members, title) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      folders: [[title]],
      note: textOf(members.get('note')),
    }),
});

async function titleOf(document: JsonDocument): Promise<string> {
  for await (const title of document.valuesAt('title')) {
    return textOf(title);
  }
  return '';
}
