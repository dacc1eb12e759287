import { parse } from 'csv-parse/sync';

import { yieldToOthers } from '../../common/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type CsvRecord, CsvRecords } from './csv-records.js';
import { type NoItem, refused, rowFrom } from './item-from.js';
import { decodedText, type Line, linesOf } from './text.js';

/** How the first line of a table divides its fields, and what it calls its columns, in lower case. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

/** Far above any row of an export, with the passages that are marked in it. */
const MAX_LINE = 1_000_000;
/** Lines that are read before others may have their turn. */
const STRETCH = 200;

/** Which of them a spreadsheet writes depends on its country. */
const DELIMITERS = [',', ';', '\t', '|'];
/** A line by which Excel tells the delimiter; it is no header. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\s*$/i;
const MAX_HEADER = 10_000;

type ItemOf = (row: CsvRow) => ItemToImport | NoItem;

/** A format of tables: each record is a row. */
export const csvFormat = (
  parts: Pick<Format, 'name' | 'matches'> & { itemOf: ItemOf },
): Format => ({
  name: parts.name,
  matches: (head) => parts.matches(head),
  rows: (source) => rowsOf(source, parts.itemOf),
});

async function* rowsOf(source: Source, itemOf: ItemOf): AsyncGenerator<ImportRow> {
  const table = new Table(source.path, itemOf);
  for await (const lines of linesOf(decodedText(source.bytes()), MAX_LINE)) {
    for (const line of lines) {
      table.take(line);
      if (line.number % STRETCH === 0) {
        yield* table.takeRows();
        await yieldToOthers();
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
    } else if (line.text.trim() !== '' && !SEPARATOR_LINE.test(line.text)) {
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
    if ('error' in record) {
      return refused(place, record.error, record.text);
    }
    const fields = withoutBlankEnd(record.fields, header.columns.length);
    const text = record.fields.join(header.delimiter);
    return fields.length === header.columns.length
      ? rowFrom(place, this.itemOf(new CsvRow(header, fields)), text)
      : refused(place, widthError(fields.length, header.columns.length), text);
  }
}

/** Spreadsheets write empty fields after the last column. */
const withoutBlankEnd = (fields: readonly string[], width: number): readonly string[] =>
  fields.slice(width).every((field) => field === '') ? fields.slice(0, width) : fields;

const widthError = (fields: number, columns: number): string =>
  `The row has ${fields} fields and the header ${columns}: a quote or a comma is missing or too many.`;

/** A row of a table, read by the names of its columns. */
export class CsvRow {
  constructor(
    private readonly header: CsvHeader,
    private readonly fields: readonly string[],
  ) {}

  /** Trimmed; that of the first of these columns which has one. */
  text(...columns: readonly string[]): string {
    return (
      columns
        .map((column) => this.fields[this.header.columns.indexOf(column)]?.trim() ?? '')
        .find((text) => text !== '') ?? ''
    );
  }
}

function csvHeader(line: string): CsvHeader {
  const headers = DELIMITERS.map((delimiter) => ({
    delimiter,
    columns: columnsOf(line, delimiter),
  }));
  return headers.reduce((best, other) =>
    other.columns.length > best.columns.length ? other : best,
  );
}

/** The columns of a text that may be a table; none where it is none. */
export function csvColumnsIn(text: string): ReadonlySet<string> {
  const lines = text.slice(0, MAX_HEADER).split(/\r\n|\n|\r/, 10);
  const line = lines.find((one) => one.trim() !== '' && !SEPARATOR_LINE.test(one)) ?? '';
  return new Set(csvHeader(line).columns);
}

function columnsOf(line: string, delimiter: string): readonly string[] {
  try {
    const [fields = []] = parse(line, { delimiter, bom: true });
    return fields.map((field) => field.trim().toLowerCase());
  } catch {
    return [];
  }
}
