import { isMadeUp } from './made-up-word.js';
import { DELIMITERS, fieldsIn, hasAddress, isAddress, recordsIn } from './reading/line-fields.js';
import { isPartOfAddress, textAfterAddress } from './reading/text-after-address.js';

/** The number of lines that are checked to find out if a file is a table. */
const JUDGED_LINES = 200;
const MAX_LINE = 10_000;
const LIST_MARKER = /^\s*(?:[-*+•>]|\d{1,4}[.)])\s+/;
/** Matches the line between the header and the rows of a Markdown table. */
const MARKDOWN_RULE = /^ {0,9}\|? {0,9}:?-{3,}:? {0,9}\|[ |:-]*$/m;
/** Matches commas between digits, which can be part of a web address, as in `/@48.1,11.5,15z` and `/0,1518,00.html`. */
const BETWEEN_DIGITS = /(?<=\d),(?=\d)/g;
/** Matches the characters that separate words before and after a web address. */
const BETWEEN_WORDS = /[\s|:;,–—]+/;
const HAS_LETTER = /[\p{L}\p{N}]/u;
const ADDRESS = /[a-z][a-z\d+.-]{1,30}:\/\/(?:(?![,;]\s|[,;]$)\S)+/i;
const FIELDS_AFTER_COLONS =
  /^[a-z][a-z\d+.-]{1,30}:\/\/[^\s:]+(?::\d{1,5}\/[^\s:]*)?:[^\s:/]+:([^\s:/]+)$/i;

/**
 * Returns true if a text looks like a table without column names. Such a table may contain passwords. At least half of
 * the lines with an address must look like rows of a table. If fewer lines look like rows, one line with fields on both
 * sides of its address is enough.
 */
export function isTableWithoutNames(text: string): boolean {
  const lines = recordsIn(text)
    .filter(hasAddress)
    .slice(0, JUDGED_LINES)
    .map((line) => line.slice(0, MAX_LINE).replace(LIST_MARKER, ''));
  const isNamed = MARKDOWN_RULE.test(text);
  const rows = lines.filter((line) => (isNamed && isMarkdownRow(line) ? false : isRow(line)));
  return rows.length * 2 >= Math.max(lines.length, 1) || (!isNamed && lines.some(isSurelyRow));
}

const isMarkdownRow = (line: string): boolean => line.trimStart().startsWith('|');

const isRow = (line: string): boolean =>
  DELIMITERS.some((delimiter) => isTableRow(line, delimiter)) ||
  isAddressAndWord(line) ||
  endsWithMadeUpWord(line) ||
  endsWithColons(line);

/** Returns true if a line has at least three fields, of which one is an address and another is a text. */
function isTableRow(line: string, delimiter: string): boolean {
  const fields = tableFields(line, delimiter);
  const [first = '', second = ''] = fields;
  const isLongAddress = isAddress(first) && isPartOfAddress(second);
  return fields.length > 2 && fields.some(isAddress) && hasText(fields) && !isLongAddress;
}

/**
 * Returns true if a line has a field before its address and a text after the address. Such a line
 * is certainly a row of a table, because delimiters on both sides are not part of an address or a
 * title.
 */
const isSurelyRow = (line: string): boolean =>
  DELIMITERS.some((delimiter) => {
    const fields = tableFields(line, delimiter);
    const place = fields.findIndex(isAddress);
    return place > 0 && hasText(fields.slice(place + 1));
  });

/** Returns the fields of a line. Returns no fields if the delimiter is only punctuation in a sentence or title. */
function tableFields(line: string, delimiter: string): readonly string[] {
  const fields = fieldsIn(
    delimiter === ',' ? line.replaceAll(BETWEEN_DIGITS, '.') : line,
    delimiter,
  );
  const isText = delimiter === '|' ? isOneTab(line, fields) : isSentence(delimiter, fields);
  return isText ? [] : fields;
}

/**
 * Returns true for a line of OneTab's export. In such a line, `|` does not separate fields of a table, because the
 * title can contain this character too.
 */
const isOneTab = (line: string, [first = '']: readonly string[]): boolean =>
  line.includes(' | ') && isAddress(first);

/** Returns true if a blank follows each delimiter of a line. The delimiters are then the punctuation of a sentence. */
const isSentence = (delimiter: string, [, ...others]: readonly string[]): boolean =>
  delimiter !== '\t' &&
  others.some((field) => /^\s/.test(field)) &&
  others.every((field) => /^\s|^$/.test(field));

const hasText = (fields: readonly string[]): boolean =>
  fields.some((field) => field.trim() !== '' && !isAddress(field));

/**
 * Returns true for a line such as `https://a.example/,hunter2`. The word after the address may be a password, so the
 * line is treated as a row of a table.
 */
function isAddressAndWord(line: string): boolean {
  const text = textAfterAddress(line)?.trim();
  return text !== undefined && !/\s/.test(text) && !hasAddress(text);
}

/**
 * Returns true if one or two words are before or after the address of a line, and the last of them
 * looks like a password: it contains letters and digits. The words may be a user name and a
 * password.
 */
function endsWithMadeUpWord(line: string): boolean {
  const [address = ''] = ADDRESS.exec(line) ?? [];
  const texts = address === '' ? [] : line.split(address);
  return texts.some((text) => {
    const words = text.split(BETWEEN_WORDS).filter((word) => HAS_LETTER.test(word));
    return words.length <= 2 && isMadeUp(words.at(-1) ?? '');
  });
}

/** Returns true for a line such as `https://a.example/:reader:hunter2`. Lists of stolen passwords have this form. */
const endsWithColons = (line: string): boolean =>
  isMadeUp(FIELDS_AFTER_COLONS.exec(line.trim())?.[1] ?? '');
