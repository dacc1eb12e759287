import type { ImportRow, ItemToImport } from '../../lib/library-formats/format.js';
import { yieldToOthers } from '../../lib/util/event-loop.js';
import { FirstFolders } from './first-folders.js';
import { FirstRows } from './first-rows.js';
import type { NumberedRow } from './import-batch.js';
import { addressOfRow } from './row-address.js';

/**
 * The maximum number of rows that are imported in one transaction. Smaller batches would cause too many commits. Larger
 * batches would lock the list or block the process for too long.
 */
const MOST_ROWS = 100;
/**
 * The maximum number of characters in a batch of rows. A row may have millions of characters, so a batch of MOST_ROWS
 * long rows would not fit into memory.
 */
const MOST_CHARACTERS = 1_000_000;

/**
 * Yields the rows of a file in batches, with the number of each row. Skips the first `rowsDone` rows. A batch of long
 * rows contains fewer rows.
 */
export async function* batchesOf(
  rows: AsyncIterable<ImportRow>,
  rowsDone: number,
): AsyncGenerator<readonly NumberedRow[]> {
  const [firstRows, firstFolders] = [new FirstRows(), new FirstFolders()];
  let rowNumber = 0;
  let batch: NumberedRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    await yieldToOthers();
    rowNumber += 1;
    const known = { ...earlierRowsOf(row, firstRows), ...firstFolders.newIn(row) };
    if (rowNumber > rowsDone) {
      batch.push({ rowNumber, row, ...known });
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

/**
 * Returns data about earlier rows of the file that contain the same page as `row`. Returns an empty object if no earlier
 * row contains this page.
 */
function earlierRowsOf(row: ImportRow, firstRows: FirstRows): Pick<NumberedRow, 'earlier'> {
  if (!('item' in row) || row.addsToOthers === true) {
    return {};
  }
  const address = addressOfRow(row.item);
  const earlier = address && firstRows.before(address.itemId, row);
  return earlier === undefined ? {} : { earlier };
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

/** Yields the values of `source`. Requests the next value while the caller handles the current value. */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = source.next(); ;) {
      const current = await next;
      if (current.done === true) {
        return;
      }
      next = source.next();
      // Prevents an unhandled rejection if the caller stops before the next value arrives. If the
      // caller continues, `await next` still throws the error.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await source.return(undefined);
  }
}
