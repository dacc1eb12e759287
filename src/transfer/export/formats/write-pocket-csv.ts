import { stringify } from 'csv-stringify/sync';

import type { ZipEntry } from '../../../common/zipped.js';
import type { AnnotatedItem, ExportedItem, Library } from '../exported-item.js';
import { titleOf } from '../shown-texts.js';
import { inChunks } from '../text-chunks.js';

const ROWS_IN_PART = 10_000;
/** The library takes longer to begin than to write a row. */
const ROWS_AT_ONCE = 500;
const COLUMNS = ['title', 'url', 'time_added', 'tags', 'status'];

/** Where the walk through the list is, from one part to the next. */
interface Walk {
  readonly items: AsyncIterator<AnnotatedItem>;
  next: IteratorResult<AnnotatedItem>;
  annotations: number;
}

/** The files of Pocket's own archive: `part_000000.csv` and further, and the annotations where there are any. */
export async function* pocketFiles(
  library: Library,
  rowsInPart = ROWS_IN_PART,
): AsyncGenerator<ZipEntry> {
  const items = library.annotatedItems()[Symbol.asyncIterator]();
  const walk: Walk = { items, next: await items.next(), annotations: 0 };
  let number = 0;
  do {
    yield { path: `${partName(number)}.csv`, content: csvPart(walk, rowsInPart) };
    number += 1;
  } while (walk.next.done !== true);
  if (walk.annotations > 0) {
    const content = inChunks(annotationList(annotated(library)));
    yield { path: `annotations/${partName(0)}.json`, content };
  }
}

async function* csvPart(walk: Walk, rowsInPart: number): AsyncGenerator<string> {
  let waiting: unknown[][] = [COLUMNS];
  for (let rows = 0; rows < rowsInPart && walk.next.done !== true; rows += 1) {
    const { item, annotations } = walk.next.value;
    waiting.push(columnsOf(item));
    if (waiting.length === ROWS_AT_ONCE) {
      yield csv(waiting);
      waiting = [];
    }
    walk.annotations += annotations.length;
    walk.next = await walk.items.next();
  }
  yield csv(waiting);
}

async function* annotationList(items: AsyncIterable<AnnotatedItem>): AsyncGenerator<string> {
  let separator = '[';
  for await (const saved of items) {
    yield `${separator}${JSON.stringify(highlightsOf(saved))}`;
    separator = ',';
  }
  yield ']';
}

async function* annotated(library: Library): AsyncGenerator<AnnotatedItem> {
  for await (const saved of library.annotatedItems()) {
    if (saved.annotations.length > 0) {
      yield saved;
    }
  }
}

const partName = (number: number): string => `part_${String(number).padStart(6, '0')}`;

const columnsOf = (item: ExportedItem): unknown[] => [
  titleOf(item),
  item.url,
  item.timeAdded,
  item.tags.join('|'),
  item.isArchived ? 'archive' : 'unread',
];

/** A line end of any kind is quoted (RFC 4180); nothing is changed for spreadsheets, as machines read this. */
const csv = (rows: unknown[][]): string => stringify(rows, { quoted_match: /[\r\n]/ });

const highlightsOf = ({ item, annotations }: AnnotatedItem): object => ({
  url: item.url,
  title: titleOf(item),
  highlights: annotations.map(({ quote, createdAt }) => ({ quote, created_at: createdAt })),
});
