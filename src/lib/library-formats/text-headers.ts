import { isMadeUp } from './made-up-word.js';
import { type ColumnKind, isPasswordName, kindOfName } from './password-names.js';
import { DELIMITERS, fieldsIn, hasAddress, isAddress, recordsIn } from './reading/line-fields.js';

/** The kind of secrets that a text probably contains, judging by its column names and labels. */
export type Announced = 'passwords' | 'user names';

const MAX_HEADER = 10_000;
/**
 * The number of lines that are searched for a web address below a possible header. Several lines are searched, because
 * notes without an address may follow the header.
 */
const ROWS_BELOW = 20;
const BLANKS = /\s+/;
/**
 * The maximum number of words in a header without delimiters, such as `Site Login Password`. No
 * table with only known column names has more columns.
 */
const MOST_WORDS = 8;
/**
 * Matches a label at the beginning of a line, such as `Password: …`. The label may be in a list item or bold. The value
 * of the label may be on the next line.
 */
const LABEL = /^[\s>*+•_-]{0,20}([^:=：\r\n]{2,60}?)[\s*_]{0,9}[:=：]/;
/** Matches a label and its value inside a line, such as `login: reader` in a line with a web address. */
const LABEL_WITHIN = /([\p{L}\p{M}\p{N}_-]{2,30})\s{0,3}[:=：]\s{0,3}([^\s,;|]{1,200})/gu;
const MAX_LINE = 10_000;
const URL_WITHIN = /[a-z][a-z\d+.-]{1,30}:\/\/\S+/gi;

/**
 * Returns the kind of secrets that a text probably contains, judging by its headers. A header is a
 * line without a web address. Either two fields of the header are known column names, or one field
 * is, and a line below contains a web address. Any line can be a header, because people write notes
 * above their tables.
 * @param isNamed - true if the first line of the file contains column names. A header then needs
 * two fields with known column names.
 */
export function announcedByHeaders(text: string, isNamed: boolean): Announced | undefined {
  const records = recordsIn(text).map((record) => ({ record, isRow: hasAddress(record) }));
  let announced: Announced | undefined;
  for (const [index, { record, isRow }] of records.entries()) {
    if (isRow || record.length > MAX_HEADER) {
      continue;
    }
    const rowsBelow = (): readonly string[] =>
      (isNamed ? [] : records)
        .slice(index + 1, index + 1 + ROWS_BELOW)
        .flatMap((below) => (below.isRow ? [below.record] : []));
    const byHeader = announcedBy(record, rowsBelow);
    if (byHeader === 'passwords') {
      return byHeader;
    }
    announced ??= byHeader;
  }
  return announced;
}

function announcedBy(record: string, rowsBelow: () => readonly string[]): Announced | undefined {
  const byFields = DELIMITERS.filter((delimiter) => record.includes(delimiter)).map((delimiter) =>
    announcedByFields(record, rowsBelow, delimiter),
  );
  const all = [...byFields, announcedByWords(record, rowsBelow)];
  return all.includes('passwords') ? 'passwords' : all.find((announced) => announced !== undefined);
}

function announcedByFields(
  record: string,
  rowsBelow: () => readonly string[],
  delimiter: string,
): Announced | undefined {
  const fieldsOf = (line: string): readonly string[] => fieldsIn(line, delimiter);
  const names = fieldsOf(record);
  const kinds = names.map(kindOfName).filter((kind) => kind !== undefined);
  if (names.length < 2 || kinds.length === 0) {
    return undefined;
  }
  const isHeader = isSurelyHeader(kinds) || hasRowOf(names.length, rowsBelow().map(fieldsOf));
  return isHeader ? announcedByKinds(kinds) : undefined;
}

/**
 * Returns true if the column names of a line are enough to identify a header: at least two known
 * column names, not all of them for user names.
 */
const isSurelyHeader = (kinds: readonly ColumnKind[]): boolean =>
  kinds.length > 1 && kinds.some((kind) => kind !== 'user');

const announcedByKinds = (kinds: readonly (ColumnKind | undefined)[]): Announced | undefined =>
  kinds.includes('password') ? 'passwords' : kinds.includes('user') ? 'user names' : undefined;

const hasRowOf = (width: number, rows: readonly (readonly string[])[]): boolean =>
  rows.some((fields) => fields.length === width && fields.some(isAddress));

/**
 * Recognises a header whose columns are separated only by blanks, such as `Site Login Password`.
 * All words of the header must be known column names, because ordinary sentences contain blanks
 * too.
 */
function announcedByWords(
  record: string,
  rowsBelow: () => readonly string[],
): Announced | undefined {
  const wordsOf = (line: string): readonly string[] => line.trim().split(BLANKS);
  const names = wordsOf(record);
  const kinds = names.length > MOST_WORDS ? [] : names.map(kindOfName);
  const isHeader =
    kinds.length > 1 &&
    kinds.every((kind) => kind !== undefined) &&
    hasRowOf(names.length, rowsBelow().map(wordsOf));
  return isHeader ? announcedByKinds(kinds) : undefined;
}

/** Returns true if a text contains a label for a password with its value, as in `Password: secret`. */
export function hasPasswordLabel(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines.some((line, index) =>
    hasAddress(line)
      ? hasLabelBesideAddress(line.slice(0, MAX_LINE))
      : isPasswordLabel(line, lines[index + 1] ?? ''),
  );
}

/**
 * Returns true if a line begins with a label for a password. A label without a value above a line
 * with a web address does not count, because it is the heading of a list.
 */
function isPasswordLabel(line: string, next: string): boolean {
  const [start, name = ''] = LABEL.exec(line) ?? [''];
  const value = line.slice(start.length).replaceAll(/[\s*_]/g, '');
  return isPasswordName(name) && (value !== '' || !hasAddress(next));
}

/**
 * Returns true if a line with a web address also contains the label of a password. If the line has no second label, the
 * value must look like a password, because `Password: a history` may be a title.
 */
function hasLabelBesideAddress(line: string): boolean {
  const labels = [...line.replaceAll(URL_WITHIN, ' ').matchAll(LABEL_WITHIN)];
  return labels.some(
    ([, name = '', value = '']) => isPasswordName(name) && (labels.length > 1 || isMadeUp(value)),
  );
}
