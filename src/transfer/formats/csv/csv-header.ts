import { parse } from 'csv-parse/sync';

/** How the first line of a table divides its fields, and what it calls its columns, in lower case. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

/** Spreadsheets write those of their country. */
const DELIMITERS = [',', ';', '\t', '|'];
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\s*$/i;
const MAX_HEADER = 10_000;

/** A line by which Excel tells the delimiter; it is no header. */
export const isSeparatorLine = (line: string): boolean => SEPARATOR_LINE.test(line);

export function csvHeader(line: string): CsvHeader {
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
  const line = lines.find((one) => one.trim() !== '' && !isSeparatorLine(one)) ?? '';
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
