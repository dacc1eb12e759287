import { parse } from 'csv-parse/sync';

/** The delimiters that spreadsheets write between fields. The delimiter depends on the country. */
export const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Matches a record of a table. A quoted field may contain line breaks. In other fields, a quote is part of the text.
 */
const RECORD = /(?:(?<![^,;\t|\r\n])"(?:[^"]|""){0,10000}"(?= *(?:[,;\t|\r\n]|$))|[^\r\n])+/g;
/** Matches the beginning of an address with any scheme. Password managers also store `android://` and `ftp://`. */
const ADDRESS = /(?<![a-z\d])[a-z][a-z\d+.-]{1,30}:\/\//i;
const ONLY_ADDRESS = /^<?[a-z][a-z\d+.-]{1,30}:\/\/\S+$/i;

/** Returns the records of a text that may be a table. Skips blank records. */
export const recordsIn = (text: string): readonly string[] =>
  [...text.matchAll(RECORD)].map(([record]) => record).filter((record) => record.trim() !== '');

/** Returns the fields of a record as written in the file. */
export function fieldsIn(record: string, delimiter: string): readonly string[] {
  if (!record.includes('"')) {
    return record.split(delimiter);
  }
  try {
    const rows: string[][] = parse(record, { delimiter, relax_quotes: true });
    return rows[0] ?? [];
  } catch {
    // If a quote is not closed, splits the record at all delimiters.
    return record.split(delimiter);
  }
}

export const hasAddress = (text: string): boolean => ADDRESS.test(text);

export const isAddress = (field: string): boolean => ONLY_ADDRESS.test(field.trim());
