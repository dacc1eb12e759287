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
/** Matches the characters that separate the words after a web address. */
const BETWEEN_WORDS = /[\s|:;,–—]+/;
const HAS_LETTER = /[\p{L}\p{N}]/u;
const ADDRESS = /[a-z][a-z\d+.-]{1,30}:\/\/(?:(?![,;]\s|[,;]$)\S)+/i;
const FIELDS_AFTER_COLONS =
  /^[a-z][a-z\d+.-]{1,30}:\/\/[^\s:]+(?::\d{1,5}\/[^\s:]*)?:[^\s:/]+:([^\s:/]+)$/i;

/**
 * Returns true for a list whose lines look like rows of a table without column names, so that some fields may be
 * passwords. At least half of the lines with an address must look like rows, because a single odd line proves nothing.
 * A single line is enough only if its address has fields on both sides.
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
 * Returns true if a line has a field before its address, and a text after it. The delimiters on both sides show that
 * the line is a row of a table, because they cannot belong to the address or a title.
 */
const isSurelyRow = (line: string): boolean =>
  DELIMITERS.some((delimiter) => {
    const fields = tableFields(line, delimiter);
    const place = fields.findIndex(isAddress);
    return place > 0 && hasText(fields.slice(place + 1));
  });

/** Returns the fields of a line. Returns no fields if the delimiter is part of a sentence or title. */
function tableFields(line: string, delimiter: string): readonly string[] {
  const fields = fieldsIn(
    delimiter === ',' ? line.replaceAll(BETWEEN_DIGITS, '.') : line,
    delimiter,
  );
  const isText = delimiter === '|' ? isOneTab(line, fields) : isSentence(delimiter, fields);
  return isText ? [] : fields;
}

/**
 * Returns true for a line of OneTab's export. Its `|` does not separate fields, because a title may contain the same
 * character.
 */
const isOneTab = (line: string, [first = '']: readonly string[]): boolean =>
  line.includes(' | ') && isAddress(first);

/** Returns true for a sentence, in which each delimiter is followed by a blank. */
const isSentence = (delimiter: string, [, ...others]: readonly string[]): boolean =>
  delimiter !== '\t' &&
  others.some((field) => /^\s/.test(field)) &&
  others.every((field) => /^\s|^$/.test(field));

const hasText = (fields: readonly string[]): boolean =>
  fields.some((field) => field.trim() !== '' && !isAddress(field));

/**
 * Returns true for a line such as `https://a.example/,hunter2`. The word after the address may be a password, so the
 * line counts as a row of a table.
 */
function isAddressAndWord(line: string): boolean {
  const text = textAfterAddress(line)?.trim();
  return text !== undefined && !/\s/.test(text) && !hasAddress(text);
}

/**
 * Returns true if a line has one or two words beside the address, and the last word is made up. These words may be a
 * user name and a password.
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
