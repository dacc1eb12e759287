import type { ImportRow, ItemToImport } from '../../lib/library-formats/format.js';
import { yieldToOthers } from '../../lib/util/event-loop.js';
import { FirstRows, type SamePage } from './first-rows.js';
import type { NumberedRow } from './import-batch.js';
import { addressOfRow } from './row-address.js';

/**
 * The maximum number of rows in a batch. Smaller batches would need too many commits. With larger batches, other calls
 * would wait too long for the list or the process.
 */
const MOST_ROWS = 100;
/**
 * The maximum number of characters in a batch. A row may be millions of characters long, so a hundred such rows would
 * fill the memory.
 */
const MOST_CHARACTERS = 1_000_000;

/** Yields the remaining rows of a file with their numbers, in batches. Batches of long rows have fewer rows. */
export async function* batchesOf(
  rows: AsyncIterable<ImportRow>,
  rowsDone: number,
): AsyncGenerator<readonly NumberedRow[]> {
  const firstRows = new FirstRows();
  let rowNumber = 0;
  let batch: NumberedRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    await yieldToOthers();
    rowNumber += 1;
    const earlier = earlierRowsOf(row, firstRows);
    if (rowNumber > rowsDone) {
      batch.push({ rowNumber, row, ...(earlier && { earlier }) });
      characters += 'item' in row ? lengthOf(row.item) : row.text.length;
    }
    if (batch.length === MOST_ROWS || characters >= MOST_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Returns the earlier rows of the file for the same page, or undefined if the row is the first. */
function earlierRowsOf(row: ImportRow, firstRows: FirstRows): SamePage | undefined {
  if (!('item' in row) || row.addsToOthers === true) {
    return undefined;
  }
  const address = addressOfRow(row.item);
  return address && firstRows.before(address.itemId, row);
}

const lengthOf = ({
  url,
  title = '',
  tags = [],
  annotations = [],
  note = '',
}: ItemToImport): number =>
  [
    url,
    title,
    note,
    ...tags,
    ...annotations.flatMap(({ quote, patch = '', note = '' }) => [quote, patch, note]),
  ].reduce((sum, text) => sum + text.length, 0);

/** Yields the values of `source`. Fetches each value while the consumer handles the previous one. */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = source.next(); ;) {
      const current = await next;
      if (current.done === true) {
        return;
      }
      next = source.next();
      // Ignores a failure of the next value, in case the consumer stops before it awaits this value.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await source.return(undefined);
  }
}
