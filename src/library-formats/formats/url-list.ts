import type { Format, ImportRow, Source } from '../format.js';
import { refused } from '../reading/item-from.js';
import { decodedText, type Line, linesOf } from '../reading/text.js';

/** Longer than any URL that a list takes. */
const MAX_LINE = 10_000;
const COMMENT = /^\s*(?:#|\/\/|;)/;
/** With a scheme, or a host with a dot in it. */
const URL_LINE =
  /^\s*(?:https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?)\s*$/iu;
/** The lines that show whether a text is a list of URLs. */
const JUDGED_LINES = 50;

/** A URL a line; blank lines and comments are skipped. */
export const urlList: Format = {
  name: 'urls',
  syntax: 'text',
  recognitions: [{ has: [{ name: 'a URL in most of its first lines', isIn: isMostlyUrls }] }],
  rows: rowsOf,
};

function isMostlyUrls(text: string): boolean {
  const lines = text
    .split(/\r\n|\n|\r/, JUDGED_LINES)
    .filter(isSaid)
    .map((line) => line.slice(0, MAX_LINE));
  return lines.filter((line) => URL_LINE.test(line)).length > lines.length / 2;
}

async function* rowsOf(source: Source): AsyncGenerator<ImportRow> {
  for await (const lines of linesOf(decodedText(source.bytes()), MAX_LINE)) {
    yield* lines.filter(({ text }) => isSaid(text)).map((line) => rowOf(source.path, line));
  }
}

const isSaid = (line: string): boolean => line.trim() !== '' && !COMMENT.test(line);

function rowOf(path: string, { number, text, isTooLong }: Line): ImportRow {
  const place = { path, line: number };
  return !isTooLong && URL_LINE.test(text)
    ? { place, item: { url: text.trim() } }
    : refused(place, isTooLong ? 'The line is longer than any URL.' : 'The line is no URL.', text);
}
