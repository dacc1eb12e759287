import { parse } from 'csv-parse/sync';

import type { Line } from './text.js';

/** A record of a CSV table. If the record cannot be parsed, it contains the reason instead of the fields. */
export type CsvRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  | { readonly line: number; readonly error: string; readonly text: string };

/** The delimiter and the columns that the header of a CSV table defines. */
export interface CsvShape {
  readonly delimiter: string;
  /** The names of the columns from the header, in lower case. */
  readonly columns: readonly string[];
}

/** The maximum number of lines in one CSV record. If a record has more lines, its quote is never closed. */
const MAX_LINES = 2_000;
const MAX_LENGTH = 1_000_000;
const BATCH = 200;
const UNCLOSED = 'A quote opens here and is not closed: only this line is left out.';
const TOO_LONG = 'The line is longer than any row can be.';
const RECORD_ENDS = ['\r\n', '\n', '\r'];

/**
 * Joins lines to CSV records. A record ends at the line that closes its quotes. If a record has the
 * wrong number of fields, its first line is parsed as a complete record, and parsing continues at
 * its second line. The streaming mode of csv-parse would skip all valid lines after an unclosed
 * quote.
 */
export class CsvRecords {
  readonly #header: CsvShape;
  #singles: Line[] = [];
  #singlesLength = 0;
  #open: Line[] = [];
  #openLength = 0;
  #records: CsvRecord[] = [];

  constructor(header: CsvShape) {
    this.#header = header;
  }

  take(line: Line): void {
    if (line.isTooLong) {
      this.#giveUp();
      this.#flush();
      this.#refuse(line, TOO_LONG);
    } else if (this.#open.length > 0) {
      this.#extend(line);
    } else if (hasClosedQuotes(line.text)) {
      this.#takeSingle(line);
    } else {
      this.#flush();
      this.#open = [line];
      this.#openLength = line.text.length;
    }
  }

  end(): void {
    this.#giveUp();
    this.#flush();
  }

  /** Returns the CSV records that were completed since the last call of this method. */
  takeRecords(): readonly CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #takeSingle(line: Line): void {
    if (line.text.trim() !== '') {
      this.#singles.push(line);
      this.#singlesLength += line.text.length;
    }
    if (this.#singles.length >= BATCH || this.#singlesLength > MAX_LENGTH) {
      this.#flush();
    }
  }

  #extend(line: Line): void {
    this.#open.push(line);
    if (hasClosedQuotes(line.text)) {
      this.#openLength += line.text.length;
      if (this.#open.length >= MAX_LINES || this.#openLength > MAX_LENGTH) {
        this.#giveUp();
      }
      return;
    }
    this.#close();
  }

  #close(): void {
    const records = this.#parsed(this.#open, false);
    const [first] = this.#open;
    const [fields] = records ?? [];
    if (records?.length === 1 && fields?.length === this.#header.columns.length && first) {
      this.#records.push({ line: first.number, fields });
      this.#open = [];
    } else {
      this.#giveUp();
    }
  }

  /**
   * Treats the first line of an incomplete or invalid record as a complete record, and parses the
   * other lines again.
   */
  #giveUp(): void {
    const [first, ...others] = this.#open;
    this.#open = [];
    if (first !== undefined) {
      this.#readAlone(first);
      others.forEach((line) => {
        this.take(line);
      });
    }
  }

  #flush(): void {
    const lines = this.#singles;
    this.#singles = [];
    this.#singlesLength = 0;
    const records = this.#parsed(lines, true);
    if (records?.length !== lines.length) {
      lines.forEach((line) => {
        this.#readAlone(line);
      });
      return;
    }
    lines.forEach(({ number }, index) => {
      this.#records.push({ line: number, fields: records[index] ?? [] });
    });
  }

  #readAlone(line: Line): void {
    const [fields, ...more] = this.#parsed([line], true) ?? [];
    if (fields === undefined || more.length > 0) {
      this.#refuse(line, UNCLOSED);
    } else {
      this.#records.push({ line: line.number, fields });
    }
  }

  #refuse({ number, text }: Line, error: string): void {
    this.#records.push({ line: number, error, text });
  }

  /**
   * Parses lines as CSV. Returns undefined if the lines are not valid CSV. If `isRelaxed` is true,
   * accepts quotation marks within a field that are not doubled, as in handwritten CSV.
   */
  #parsed(lines: readonly Line[], isRelaxed: boolean): readonly string[][] | undefined {
    try {
      return parse(lines.map(({ text }) => text).join(''), {
        delimiter: this.#header.delimiter,
        record_delimiter: RECORD_ENDS,
        relax_column_count: true,
        relax_quotes: isRelaxed,
      });
    } catch {
      return undefined;
    }
  }
}

function hasClosedQuotes(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    count += 1;
  }
  return count % 2 === 0;
}
