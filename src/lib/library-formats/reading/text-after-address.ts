import { hasAddress, recordsIn } from './line-fields.js';

/** The number of lines that are checked to find out if titles follow the addresses in a list. */
const JUDGED_LINES = 200;
/**
 * Matches a text that is part of an address although a comma or semicolon precedes the text. Such a text is a path, a
 * file name or a parameter.
 */
const PART_OF_ADDRESS = /^(?:[^\s/]*\/\S*$|\S+\.(?:html?|php|aspx?)(?:\s|$)|[\w.-]+=|[_%+-])/i;
const ADDRESS_AND_COMMA = /^\s*<?[a-z][a-z\d+.-]{1,30}:\/\/[^\s,;]+[,;](?=\S)/i;

/** Returns true if the text after a comma or semicolon is still a part of the address before it. */
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
 * Returns true if, in at least half of the lines, several words follow an address and a comma or semicolon. The words
 * are the title of the page.
 */
export function hasTitlesAfterCommas(text: string): boolean {
  const lines = recordsIn(text).filter(hasAddress).slice(0, JUDGED_LINES);
  const titled = lines.filter((line) => /\s/.test(textAfterAddress(line) ?? ''));
  return titled.length > 0 && titled.length * 2 >= lines.length;
}
