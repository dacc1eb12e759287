import { jsonParts } from './json-parts.js';
import { JsonError } from './json-reader.js';
import { type Members, withMembers } from './members.js';
import { membersOf } from './read-value.js';

/**
 * The maximum number of characters that are parsed at once. A line of 16 million characters can contain five million
 * objects, and its parsing would stop all other work for seconds.
 */
const MAX_AT_ONCE = 1_000_000;
/** The maximum size of a line, as in json-parts.ts. An item can have a hundred highlights of 100,000 characters. */
const MAX_SIZE = 16_000_000;
/** The number of characters that are parsed before other work of the process can run. */
const PIECE = 65_536;

/**
 * Returns the object in a line of an export. Returns undefined if the line is no JSON. In a line of more than a million
 * characters, texts are cut after 100,000 characters: only an article is longer, and articles are not imported.
 */
export const membersOfLine = (
  text: string,
): Members | 'too large' | undefined | Promise<Members | 'too large' | undefined> =>
  text.length > MAX_AT_ONCE ? parsedInPieces(text) : parsed(text);

function parsed(text: string): Members | undefined {
  try {
    return membersOf(withMembers(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

async function parsedInPieces(text: string): Promise<Members | 'too large' | undefined> {
  let members: Members | undefined;
  const isWanted = (path: string): boolean => path === '';
  for await (const parts of jsonParts(piecesOf(text), { isWanted }, MAX_SIZE)) {
    for (const part of parts) {
      if (part instanceof JsonError) {
        return undefined;
      }
      if (part.isTooLarge) {
        return 'too large';
      }
      members = membersOf(part.value);
    }
  }
  return members;
}

// eslint-disable-next-line @typescript-eslint/require-await -- jsonParts reads pieces that arrive one by one.
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    yield text.slice(at, at + PIECE);
  }
}
