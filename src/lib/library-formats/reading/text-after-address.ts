import { hasAddress, recordsIn } from './line-fields.js';

/** The number of lines that are checked to find out if a list has titles after its addresses. */
const JUDGED_LINES = 200;
/**
 * Matches a text that is part of an address although a comma or semicolon precedes it: a path, a file name or a
 * parameter.
 */
const PART_OF_ADDRESS = /^(?:[^\s/]*\/\S*$|\S+\.(?:html?|php|aspx?)(?:\s|$)|[\w.-]+=|[_%+-])/i;
const ADDRESS_AND_COMMA = /^\s*<?[a-z][a-z\d+.-]{1,30}:\/\/[^\s,;]+[,;](?=\S)/i;

/** Returns true if the text after a comma or semicolon is still a part of the address before it. */
export const isPartOfAddress = (text: string): boolean => PART_OF_ADDRESS.test(text);

/**
 * Returns the text that a comma or semicolon separates from an address. Returns undefined if this text is a part of the
 * address.
 */
export function textAfterAddress(line: string): string | undefined {
  const start = ADDRESS_AND_COMMA.exec(line)?.[0] ?? line;
  const text = line.slice(start.length).trimEnd();
  const isNumber = /\d[,;]$/.test(start) && /^\d/.test(text);
  return text === '' || isNumber || isPartOfAddress(text) ? undefined : text;
}

/**
 * Returns true if at least half of the lines have several words after an address and a comma or semicolon. These words
 * are the titles of the pages.
 */
export function hasTitlesAfterCommas(text: string): boolean {
  const lines = recordsIn(text).filter(hasAddress).slice(0, JUDGED_LINES);
  const titled = lines.filter((line) => /\s/.test(textAfterAddress(line) ?? ''));
  return titled.length > 0 && titled.length * 2 >= lines.length;
}
