import { isMadeUp } from './made-up-word.js';
import { type ColumnKind, isPasswordName, kindOfName } from './password-names.js';
import { DELIMITERS, fieldsIn, hasAddress, isAddress, recordsIn } from './reading/line-fields.js';

/** The kind of secrets that a text contains according to its headers and labels. */
export type Announced = 'passwords' | 'user names';

const MAX_HEADER = 10_000;
/**
 * The number of rows below a header that are searched for an address. The first rows may be notes that contain no
 * address.
 */
const ROWS_BELOW = 20;
const BLANKS = /\s+/;
/** The maximum number of words in a header. A table whose columns all have known names has fewer columns. */
const MOST_WORDS = 8;
/** Matches a label such as `Password: …`, even in a list or in bold. The value may be on the next line. */
const LABEL = /^[\s>*+•_-]{0,20}([^:=：\r\n]{2,60}?)[\s*_]{0,9}[:=：]/;
/**
 * Matches labels beside an address, such as `login: reader password: secret`. If there is only one label, the words
 * after it may be a title.
 */
const LABEL_WITHIN = /([\p{L}\p{M}\p{N}_-]{2,30})\s{0,3}[:=：]\s{0,3}([^\s,;|]{1,200})/gu;
const MAX_LINE = 10_000;
const URL_WITHIN = /[a-z][a-z\d+.-]{1,30}:\/\/\S+/gi;

/**
 * Returns the secrets that a text contains according to its headers. A header is a line with at least two fields and no
 * web address. It either contains names of columns for addresses or users, or has addresses in the lines below it.
 * Every line can be a header, because people write lines above their tables.
 * @param isNamed - true if the first line names the columns. For other lines, addresses below the line are then not
 * enough for a header.
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

/** Returns true if at least two columns have known names, unless all of them are columns for user names. */
const isSurelyHeader = (kinds: readonly ColumnKind[]): boolean =>
  kinds.length > 1 && kinds.some((kind) => kind !== 'user');

const announcedByKinds = (kinds: readonly (ColumnKind | undefined)[]): Announced | undefined =>
  kinds.includes('password') ? 'passwords' : kinds.includes('user') ? 'user names' : undefined;

const hasRowOf = (width: number, rows: readonly (readonly string[])[]): boolean =>
  rows.some((fields) => fields.length === width && fields.some(isAddress));

/**
 * Returns the secrets that a table contains according to a header with blanks between its columns, such as `Site Login
 * Password`. Each word must be a known name, because sentences contain blanks too.
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

/** Returns true for a text that contains a label for passwords, as in `Password: secret`. */
export function hasPasswordLabel(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines.some((line, index) =>
    hasAddress(line)
      ? hasLabelBesideAddress(line.slice(0, MAX_LINE))
      : isPasswordLabel(line, lines[index + 1] ?? ''),
  );
}

/**
 * Returns true if a line begins with a label for passwords. A label that has no value and is above an address is the
 * heading of a list.
 */
function isPasswordLabel(line: string, next: string): boolean {
  const [start, name = ''] = LABEL.exec(line) ?? [''];
  const value = line.slice(start.length).replaceAll(/[\s*_]/g, '');
  return isPasswordName(name) && (value !== '' || !hasAddress(next));
}

/**
 * Returns true for a line with an address and a label for passwords. The value must be made up, or the line must have
 * another label, because `Password: a history` may be a title.
 */
function hasLabelBesideAddress(line: string): boolean {
  const labels = [...line.replaceAll(URL_WITHIN, ' ').matchAll(LABEL_WITHIN)];
  return labels.some(
    ([, name = '', value = '']) => isPasswordName(name) && (labels.length > 1 || isMadeUp(value)),
  );
}
