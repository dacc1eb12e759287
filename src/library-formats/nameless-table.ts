import { parse } from 'csv-parse/sync';

const DELIMITERS = [',', ';', '\t'];
/** The lines that show whether a list is a table. */
const JUDGED_LINES = 50;
const MAX_LINE = 10_000;
/** A user name and a password stand beside the address. */
const FEWEST_FIELDS = 3;
const WEB_ADDRESS = /^https?:\/\/[^\s/]+/i;
const BARE_HOST = /^https?:\/\/[^\s/]+\/?$/i;
/** A comma in an address or a sentence, not between the fields of a table. */
const NO_FIELD = /^\s+\S|\/|\.(?:html?|php|aspx?)$/i;

/**
 * True for a list in which each line is a row of a table: an address at the same place and at least two other fields.
 * Without the names of its columns, a field may be a password.
 */
export function isTableWithoutNames(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const judged = lines.slice(0, JUDGED_LINES).map((line) => line.slice(0, MAX_LINE));
  return DELIMITERS.some((delimiter) => {
    const rows = judged.map((line) => fieldsOf(line, delimiter));
    const [first = []] = rows;
    const place = first.findIndex((field) => WEB_ADDRESS.test(field));
    return (
      place !== -1 &&
      first.length >= FEWEST_FIELDS &&
      rows.every((row) => row.length === first.length && isRow(row, place)) &&
      // Of a single line, a comma behind a path may belong to the address.
      (rows.length > 1 || BARE_HOST.test(first[place] ?? ''))
    );
  });
}

const isRow = (fields: readonly string[], place: number): boolean =>
  fields.every((field, index) =>
    index === place ? WEB_ADDRESS.test(field) : !NO_FIELD.test(field),
  );

function fieldsOf(line: string, delimiter: string): readonly string[] {
  try {
    const rows: string[][] = parse(line, { delimiter, relax_quotes: true });
    return rows[0] ?? [];
  } catch {
    // A quote that is not closed.
    return line.split(delimiter);
  }
}
