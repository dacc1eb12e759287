import { escapeFormula } from '../../util/csv-formulas.js';
import type { ZipEntry } from '../../util/zipped.js';
import { type AnnotatedItem, type ExportedItem, inChunks, type Library } from './library.js';

const ROWS_IN_PART = 10_000;
/**
 * The number of rows that are formatted in one call of the CSV library. The call itself takes
 * longer than the formatting of one row.
 */
const ROWS_AT_ONCE = 500;
const COLUMNS = ['title', 'url', 'time_added', 'tags', 'status'];

/**
 * The progress of the export. All CSV files of the archive share one `Position`, so each file begins with the first
 * item that is not in the previous file.
 */
interface Position {
  readonly items: AsyncIterator<AnnotatedItem>;
  next: IteratorResult<AnnotatedItem>;
  annotations: number;
}

/**
 * Yields the files of an archive in Pocket's format: `part_000000.csv` and so on, and a file with the annotations if
 * there are any.
 */
export async function* pocketFiles(
  library: Library,
  rowsInPart = ROWS_IN_PART,
): AsyncGenerator<ZipEntry> {
  const items = library.annotatedItems()[Symbol.asyncIterator]();
  const position: Position = { items, next: await items.next(), annotations: 0 };
  let number = 0;
  do {
    yield { path: `${partName(number)}.csv`, content: csvPart(position, rowsInPart) };
    number += 1;
  } while (position.next.done !== true);
  if (position.annotations > 0) {
    const content = inChunks(annotationList(library));
    yield { path: `annotations/${partName(0)}.json`, content };
  }
}

async function* csvPart(position: Position, rowsInPart: number): AsyncGenerator<string> {
  let waiting: unknown[][] = [COLUMNS];
  for (let rows = 0; rows < rowsInPart && position.next.done !== true; rows += 1) {
    const { item, annotations } = position.next.value;
    waiting.push(columnsOf(item));
    if (waiting.length === ROWS_AT_ONCE) {
      yield await csv(waiting);
      waiting = [];
    }
    position.annotations += annotations.length;
    position.next = await position.items.next();
  }
  yield await csv(waiting);
}

/** Writes the annotations of all items as a JSON array. The library must contain at least one annotation. */
async function* annotationList(library: Library): AsyncGenerator<string> {
  let separator = '[';
  for await (const saved of library.annotatedItems()) {
    if (saved.annotations.length > 0) {
      yield `${separator}${JSON.stringify(highlightsOf(saved))}`;
      separator = ',';
    }
  }
  yield ']';
}

const partName = (number: number): string => `part_${String(number).padStart(6, '0')}`;

const columnsOf = (item: ExportedItem): unknown[] => [
  item.shownTitle,
  item.url,
  item.timeAdded,
  item.tags.join('|'),
  item.isArchived ? 'archive' : 'unread',
];

/**
 * Formats rows as CSV. Puts fields with any kind of line end into quotes (RFC 4180). Escapes texts that a spreadsheet
 * would run as formulas. An import of Pocket's format removes this escaping.
 */
async function csv(rows: unknown[][]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify(rows, { quoted_match: /[\r\n]/, cast: { string: escapeFormula } });
}

const highlightsOf = ({ item, annotations }: AnnotatedItem): object => ({
  url: item.url,
  title: item.shownTitle,
  highlights: annotations.map(({ quote, createdAt, note }) => ({
    quote,
    created_at: createdAt,
    ...(note !== '' && { note }),
  })),
});
