import { parse } from 'csv-parse/sync';

/**
 * The characters that may separate the fields of a table. The delimiter of a spreadsheet depends on its country
 * settings.
 */
export const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Matches a record of a table. A field in quotes may contain line breaks. In a field without surrounding quotes, a
 * quote is an ordinary character.
 */
const RECORD = /(?:(?<![^,;\t|\r\n])"(?:[^"]|""){0,10000}"(?= *(?:[,;\t|\r\n]|$))|[^\r\n])+/g;
/**
 * Matches the beginning of an address with any scheme, because password managers also store addresses such as
 * `android://` and `ftp://`.
 */
const ADDRESS = /(?<![a-z\d])[a-z][a-z\d+.-]{1,30}:\/\//i;
const ONLY_ADDRESS = /^<?[a-z][a-z\d+.-]{1,30}:\/\/\S+$/i;

/** Splits a text that may be a table into records. Skips blank records. */
export const recordsIn = (text: string): readonly string[] =>
  [...text.matchAll(RECORD)].map(([record]) => record).filter((record) => record.trim() !== '');

/** Returns the fields of a record. */
export function fieldsIn(record: string, delimiter: string): readonly string[] {
  if (!record.includes('"')) {
    return record.split(delimiter);
  }
  try {
    const rows: string[][] = parse(record, { delimiter, relax_quotes: true });
    return rows[0] ?? [];
  } catch {
    // If a quote is not closed, it is an ordinary character. The record is then split at each delimiter.
    return record.split(delimiter);
  }
}

export const hasAddress = (text: string): boolean => ADDRESS.test(text);

export const isAddress = (field: string): boolean => ONLY_ADDRESS.test(field.trim());
