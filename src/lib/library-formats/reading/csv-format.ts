import { parse } from 'csv-parse/sync';

import { yieldToOthers } from '../../util/event-loop.js';
import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { type CsvRecord, CsvRecords, type CsvShape } from './csv-records.js';
import { type NoItem, refused, rowFrom } from './item-from.js';
import { DELIMITERS } from './line-fields.js';
import { decodedText, type Line, linesOf } from './text.js';

/** The header of a CSV table, which is the first line that is neither blank nor a `sep=` line. */
interface CsvHeader extends CsvShape {
  /** The names of the columns as written in the header. */
  readonly names: readonly string[];
}

/** The maximum length of a CSV line in characters. Lines in real exports are much shorter, even with highlights. */
const MAX_LINE = 1_000_000;
/** The number of CSV lines that are parsed before other work of the process can run. */
const STRETCH = 200;

/** Matches a line such as `sep=;` above the header. The line contains the delimiter of the table for Excel. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\s*$/i;
const MAX_HEADER = 10_000;

type ItemOf = (row: CsvRow) => ItemToImport | NoItem;

interface CsvFormat extends Pick<Format, 'name' | 'recognitions'> {
  /** Columns that the import ignores on purpose. Their names are in lower case. */
  readonly leftOut?: LeftOut;
  itemOf: ItemOf;
}

/** Returns an import format for the CSV tables of one service. Each record of a table becomes one row of the import. */
export const csvFormat = (format: CsvFormat): Format => ({
  name: format.name,
  syntax: 'table',
  recognitions: format.recognitions,
  rows: (source, notImported) => rowsOf(source, new Table(source.path, format, notImported)),
});

async function* rowsOf(source: Source, table: Table): AsyncGenerator<ImportRow> {
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

/**
 * A CSV table that is being imported. Its header is the first line that is neither blank nor a
 * `sep=` line.
 */
class Table {
  readonly #leftOut: ReadonlySet<string>;
  #header: CsvHeader | undefined;
  #records: CsvRecords | undefined;

  constructor(
    private readonly path: string,
    private readonly format: CsvFormat,
    private readonly notImported: NotImportedFields | undefined,
  ) {
    this.#leftOut = namesLeftOut(format.leftOut);
  }

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
    if (fields.length !== header.columns.length) {
      return refused(place, widthError(fields.length, header.columns.length), text);
    }
    const csvRow = new CsvRow(header, fields);
    const row = rowFrom(place, this.format.itemOf(csvRow), text);
    if (this.notImported !== undefined && 'item' in row) {
      for (const name of csvRow.notImportedColumns(this.#leftOut)) {
        this.notImported.count(this.path, 'column', name);
      }
    }
    return row;
  }
}

/** Removes empty fields beyond the last column. Spreadsheets add such fields to some rows. */
const withoutBlankEnd = (fields: readonly string[], width: number): readonly string[] =>
  fields.slice(width).every((field) => field === '') ? fields.slice(0, width) : fields;

const widthError = (fields: number, columns: number): string =>
  `The row has ${fields} fields and the header ${columns}: a quote or a comma is missing or too many.`;

/**
 * A row of a CSV table. The object remembers which columns were read, because the import report lists the other
 * columns.
 */
export class CsvRow {
  readonly #read = new Set<number>();

  constructor(
    private readonly header: CsvHeader,
    private readonly fields: readonly string[],
  ) {}

  /** Returns the trimmed text of the first of the given columns that contains text. Marks only this column as read. */
  text(...columns: readonly string[]): string {
    for (const column of columns) {
      const index = this.header.columns.indexOf(column);
      const text = this.fields[index]?.trim() ?? '';
      if (text !== '') {
        this.#read.add(index);
        return text;
      }
    }
    return '';
  }

  /**
   * Returns the text of a column, converted with `meaningOf`. If `meaningOf` returns undefined, the
   * import report lists the column as not imported.
   */
  meaning<T>(column: string, meaningOf: (text: string) => T | undefined): T | undefined {
    const index = this.header.columns.indexOf(column);
    const text = this.fields[index]?.trim() ?? '';
    const meaning = text === '' ? undefined : meaningOf(text);
    if (meaning !== undefined) {
      this.#read.add(index);
    }
    return meaning;
  }

  /**
   * Returns the names of the columns that the import report lists. These columns contain text, were not read, and are
   * not ignored on purpose.
   */
  notImportedColumns(leftOut: ReadonlySet<string>): readonly string[] {
    const { columns, names } = this.header;
    return names
      .map((name, index) => ({ name: name || `#${index + 1}`, index }))
      .filter(
        ({ index }) =>
          !this.#read.has(index) &&
          (this.fields[index] ?? '').trim() !== '' &&
          !leftOut.has(columns[index] ?? ''),
      )
      .map(({ name }) => name);
  }
}

function csvHeader(line: string): CsvHeader {
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: namesOf(line, delimiter) }));
  const { delimiter, names } = headers.reduce((best, other) =>
    other.names.length > best.names.length ? other : best,
  );
  return { delimiter, names, columns: names.map((name) => name.toLowerCase()) };
}

/** Returns the names of the columns in lower case. The first line of the text that is not blank is the header. */
export function csvColumnsIn(text: string): ReadonlySet<string> {
  const lines = text
    .trimStart()
    .slice(0, MAX_HEADER)
    .split(/\r\n|\n|\r/, 10);
  const line = lines.find((one) => one.trim() !== '' && !SEPARATOR_LINE.test(one)) ?? '';
  return new Set(csvHeader(line).columns);
}

function namesOf(line: string, delimiter: string): readonly string[] {
  try {
    const [fields = []] = parse(line, { delimiter, bom: true });
    return fields.map((field) => field.trim());
  } catch {
    return [];
  }
}
