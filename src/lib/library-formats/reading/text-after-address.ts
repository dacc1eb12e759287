import { hasAddress, recordsIn } from './line-fields.js';

/** The number of lines that are checked to detect titles after addresses in a list. */
const JUDGED_LINES = 200;
/**
 * Matches text that belongs to an address although it follows a comma or semicolon, such as a path, a file, a
 * parameter, or the name of a page.
 */
const PART_OF_ADDRESS = /^(?:[^\s/]*\/\S*$|\S+\.(?:html?|php|aspx?)(?:\s|$)|[\w.-]+=|[_%+-])/i;
const ADDRESS_AND_COMMA = /^\s*<?[a-z][a-z\d+.-]{1,30}:\/\/[^\s,;]+[,;](?=\S)/i;

/** Returns true for text after a comma or semicolon that belongs to the address before it. */
export const isPartOfAddress = (text: string): boolean => PART_OF_ADDRESS.test(text);

/** Returns the text after an address and a comma or semicolon. Returns undefined if the text belongs to the address. */
export function textAfterAddress(line: string): string | undefined {
  const start = ADDRESS_AND_COMMA.exec(line)?.[0] ?? line;
  const text = line.slice(start.length).trimEnd();
  const isNumber = /\d[,;]$/.test(start) && /^\d/.test(text);
  return text === '' || isNumber || isPartOfAddress(text) ? undefined : text;
}

/**
 * Returns true if at least half of the lines are an address, a comma or semicolon, and several words. The words are
 * then titles of pages.
 */
export function hasTitlesAfterCommas(text: string): boolean {
  const lines = recordsIn(text).filter(hasAddress).slice(0, JUDGED_LINES);
  const titled = lines.filter((line) => /\s/.test(textAfterAddress(line) ?? ''));
  return titled.length > 0 && titled.length * 2 >= lines.length;
}
