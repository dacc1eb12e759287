import { hasAddress, recordsIn } from './line-fields.js';

/** The maximum number of lines of a list that are checked for titles after the addresses. */
const JUDGED_LINES = 200;
/**
 * Matches the rest of an address after a comma or semicolon, such as `b.html` in
 * `https://example.com/a,b.html`. Any other text after a comma is a title.
 */
const PART_OF_ADDRESS = /^(?:[^\s/]*\/\S*$|\S+\.(?:html?|php|aspx?)(?:\s|$)|[\w.-]+=|[_%+-])/i;
const ADDRESS_AND_COMMA = /^\s*<?[a-z][a-z\d+.-]{1,30}:\/\/[^\s,;]+[,;](?=\S)/i;

/** Returns true if a text after a comma or semicolon belongs to the address before it. */
export const isPartOfAddress = (text: string): boolean => PART_OF_ADDRESS.test(text);

/**
 * Returns the text after an address and a comma or semicolon. Returns undefined if this text is a part of the address.
 */
export function textAfterAddress(line: string): string | undefined {
  const start = ADDRESS_AND_COMMA.exec(line)?.[0] ?? line;
  const text = line.slice(start.length).trimEnd();
  const isNumber = /\d[,;]$/.test(start) && /^\d/.test(text);
  return text === '' || isNumber || isPartOfAddress(text) ? undefined : text;
}

/**
 * Returns true if at least half of the lines contain a title of several words after the address and
 * a comma or semicolon.
 */
export function hasTitlesAfterCommas(text: string): boolean {
  const lines = recordsIn(text).filter(hasAddress).slice(0, JUDGED_LINES);
  const titled = lines.filter((line) => /\s/.test(textAfterAddress(line) ?? ''));
  return titled.length > 0 && titled.length * 2 >= lines.length;
}
