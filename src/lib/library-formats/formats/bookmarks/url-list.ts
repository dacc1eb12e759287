import type { Format, ImportRow, Source } from '../../format.js';
import type { NotImportedFields } from '../../not-imported.js';
import { itemFrom, refused, rowFrom } from '../../reading/item-from.js';
import { isAddress } from '../../reading/line-fields.js';
import { beginningOf, decodedText, type Line, linesOf } from '../../reading/text.js';
import { hasTitlesAfterCommas } from '../../reading/text-after-address.js';
import { linksOfLine } from './link-lines.js';

/** The maximum length of a line in characters. A URL with its title is shorter. */
const MAX_LINE = 10_000;
/**
 * Matches comments and Markdown headings in a list of links. Does not match a heading that contains a link, because
 * such a heading is a row of the list.
 */
const COMMENT = /^\s*(?:#+(?!\s*\[.*\]\()(?:\s|$)|\/\/|;)/;
const WORD = /[\p{L}\p{N}]/u;
const WEB_ADDRESS = /https?:\/\//i;
/** The number of characters that are read from a list of links to find out how the lines of the list are written. */
const HEAD_LENGTH = 65_536;
/**
 * Matches the beginning of a JSON or XML document, which is not a list of links. Does not match a Markdown link,
 * although it also begins with a bracket.
 */
const DOCUMENT = /^\s*(?:\{|\[\s*[[{"]|<(?!https?:))/i;
const DELIMITERS = [',', ';', '\t'];

/** The number of lines that are checked to find out if a file is a list of links. */
const JUDGED_LINES = 50;
/** The maximum number of lines per link in a list of links. A file with more lines per link is another kind of text. */
const MOST_LINES_PER_LINK = 10;

/** A list of links that is being imported. */
interface LinkList {
  readonly path: string;
  /** True if each line of the list contains a URL and a title, with a comma or semicolon between them. */
  readonly hasTitles: boolean;
  readonly notImported: NotImportedFields | undefined;
}

/** The format of text files with links: plain URLs, tabs of OneTab, Markdown lists, or URLs among words. */
export const urlList: Format = {
  name: 'urls',
  syntax: 'text',
  recognitions: [{ has: [{ name: 'links in its first lines', isIn: isLinkList }] }],
  rows: rowsOf,
};

function isLinkList(text: string): boolean {
  const lines = text
    .split(/\r\n|\n|\r/, 4 * JUDGED_LINES)
    .filter(hasEntry)
    .slice(0, JUDGED_LINES)
    .map((line) => line.slice(0, MAX_LINE));
  const withLink = lines.filter((line) => linksOfLine(line).links.length > 0);
  return (
    !DOCUMENT.test(text) &&
    !isTable(lines) &&
    withLink.length > 0 &&
    withLink.length * MOST_LINES_PER_LINK >= lines.length
  );
}

/**
 * Returns true if the first line is the header of a table. A header contains no URL, and has as many fields as the
 * second line. If the second line begins with a URL, returns false.
 */
function isTable([header = '', row = '']: readonly string[]): boolean {
  const fieldsOf = (line: string, delimiter: string): number => line.split(delimiter).length;
  return (
    !WEB_ADDRESS.test(header) &&
    !isAddress(row.split(/[,;\t]/)[0] ?? '') &&
    DELIMITERS.some(
      (delimiter) =>
        fieldsOf(header, delimiter) > 1 && fieldsOf(header, delimiter) === fieldsOf(row, delimiter),
    )
  );
}

async function* rowsOf(source: Source, notImported?: NotImportedFields): AsyncGenerator<ImportRow> {
  const list = {
    path: source.path,
    hasTitles: hasTitlesAfterCommas(await beginningOf(source, HEAD_LENGTH)),
    notImported,
  };
  for await (const lines of linesOf(decodedText(source.bytes()), MAX_LINE)) {
    for (const line of lines.filter(({ text }) => hasEntry(text))) {
      yield* rowsOfLine(line, list);
    }
  }
}

const hasEntry = (line: string): boolean => WORD.test(line) && !COMMENT.test(line);

/**
 * Returns the rows that are imported from a line. If the line contains no link, returns a refused row without the text
 * of the line, because the text may be a password.
 */
function rowsOfLine({ number, text, isTooLong }: Line, list: LinkList): readonly ImportRow[] {
  const place = { path: list.path, line: number };
  if (isTooLong) {
    return [refused(place, 'The line is too long for a link.')];
  }
  const { links, hasOtherWords } = linksOfLine(text, list.hasTitles);
  if (links.length === 0) {
    return [refused(place, 'The line contains no web address.')];
  }
  if (hasOtherWords) {
    list.notImported?.count(list.path, 'text', 'beside a link');
  }
  return links.map((link) => rowFrom(place, itemFrom(link), link.url ?? ''));
}
