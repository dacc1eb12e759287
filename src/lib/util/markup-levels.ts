import { Parser } from 'htmlparser2';

import { yieldToOthers } from './event-loop.js';

/** The maximum depth of the elements of a snapshot. Browsers parse pages only to this depth. */
export const MOST_LEVELS = 512;

/** The number of characters that are parsed before other work of the process may run. */
const PIECE = 64 * 1024;

/**
 * Returns true if the elements of a document are nested deeper than MOST_LEVELS. Parsers need quadratic time for the
 * depth, so this function stops at the first element that is too deep.
 */
export async function isNestedTooDeep(html: string): Promise<boolean> {
  const levels = { depth: 0, deepest: 0 };
  const parser = new Parser({
    onopentagname: () => {
      levels.depth += 1;
      levels.deepest = Math.max(levels.deepest, levels.depth);
      if (levels.depth > MOST_LEVELS) {
        parser.pause();
      }
    },
    onclosetag: () => {
      levels.depth -= 1;
    },
  });
  for (let at = 0; at < html.length && levels.deepest <= MOST_LEVELS; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    await yieldToOthers();
  }
  return levels.deepest > MOST_LEVELS;
}
