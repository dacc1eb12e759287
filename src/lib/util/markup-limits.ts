import { Parser } from 'htmlparser2';

import { yieldToOthers } from './event-loop.js';

/** The maximum depth of the elements of a snapshot. Browsers parse pages only to this depth. */
export const MOST_LEVELS = 512;

/**
 * The maximum number of `<` and `&` characters of a snapshot. A parser needs more time for each of them than for other
 * characters. The limit is enough for 200,000 elements.
 */
export const MOST_MARKS = 500_000;

/** The number of characters that are parsed before other work of the process may run. */
const PIECE = 64 * 1024;

/** Returns the limit that a document exceeds, so that showing the document would need too much time. */
export async function exceededLimit(html: string): Promise<'levels' | 'marks' | undefined> {
  if (hasTooManyMarks(html)) {
    return 'marks';
  }
  return (await isNestedTooDeep(html)) ? 'levels' : undefined;
}

function hasTooManyMarks(html: string): boolean {
  let count = 0;
  for (let at = 0; at < html.length && count <= MOST_MARKS; at += 1) {
    const unit = html[at];
    count += unit === '<' || unit === '&' ? 1 : 0;
  }
  return count > MOST_MARKS;
}

/** Stops at the first element that is too deep, because parsers need quadratic time for the depth. */
async function isNestedTooDeep(html: string): Promise<boolean> {
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
