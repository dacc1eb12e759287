import { Pace } from '../../../common/pace.js';
import type { ImportRow } from '../../import-row.js';
import type { ItemToImport } from '../../item-to-import.js';
import type { Format } from '../format.js';
import type { Source } from '../source.js';
import { decodedText } from '../text/decode-text.js';
import { type Line, linesOf } from '../text/lines.js';
import { type NoItem, refused, rowFrom } from '../values/item-from.js';
import { type CsvHeader, csvHeader, isSeparatorLine } from './csv-header.js';
import { type CsvRecord, CsvRecords } from './csv-records.js';
import { CsvRow } from './csv-row.js';

/** Far above any row of an export, with the passages that are marked in it. */
const MAX_LINE = 1_000_000;
/** Lines that are read before others may have their turn. */
const STRETCH = 200;

type ItemOf = (row: CsvRow) => ItemToImport | NoItem;

/** A format whose rows are those of a table. */
export const csvFormat = (
  parts: Pick<Format, 'name' | 'matches'> & { itemOf: ItemOf },
): Format => ({
  name: parts.name,
  matches: (head) => parts.matches(head),
  rows: (source) => rowsOf(source, parts.itemOf),
});

async function* rowsOf(source: Source, itemOf: ItemOf): AsyncGenerator<ImportRow> {
  const table = new Table(source.path, itemOf);
  const pace = new Pace();
  for await (const lines of linesOf(decodedText(source.bytes()), MAX_LINE)) {
    for (const line of lines) {
      table.take(line);
      if (line.number % STRETCH === 0) {
        yield* table.takeRows();
        await pace.breathe();
      }
    }
  }
  table.end();
  yield* table.takeRows();
}

/** A table while it is read: its first line is its header. */
class Table {
  #header: CsvHeader | undefined;
  #records: CsvRecords | undefined;

  constructor(
    private readonly path: string,
    private readonly itemOf: ItemOf,
  ) {}

  take(line: Line): void {
    if (this.#records !== undefined) {
      this.#records.take(line);
    } else if (line.text.trim() !== '' && !isSeparatorLine(line.text)) {
      this.#header = csvHeader(line.text);
      this.#records = new CsvRecords(this.#header);
    }
  }

  end(): void {
    this.#records?.end();
  }

  takeRows(): readonly ImportRow[] {
    const header = this.#header;
    const records = this.#records?.takeRecords() ?? [];
    return header === undefined ? [] : records.map((record) => this.#row(record, header));
  }

  #row(record: CsvRecord, header: CsvHeader): ImportRow {
    const place = { path: this.path, line: record.line };
    if ('fault' in record) {
      return refused(place, record.fault, record.text);
    }
    const fields = withoutBlankEnd(record.fields, header.columns.length);
    const text = record.fields.join(header.delimiter);
    return fields.length === header.columns.length
      ? rowFrom(place, this.itemOf(new CsvRow(header, fields)), text)
      : refused(place, widthFault(fields.length, header.columns.length), text);
  }
}

/** Spreadsheets write empty fields after the last column. */
const withoutBlankEnd = (fields: readonly string[], width: number): readonly string[] =>
  fields.slice(width).every((field) => field === '') ? fields.slice(0, width) : fields;

const widthFault = (fields: number, columns: number): string =>
  `The row has ${fields} fields and the header ${columns}: a quote or a comma is missing or too many.`;
