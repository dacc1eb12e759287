/** The maximum depth of markup that is parsed without `scanMarkup`. Formulas and drawings are at most 40 levels deep. */
const DEEPEST = 1_000;

/**
 * Returns true if markup nests its elements deeper than any real page. The parser of formulas and drawings needs
 * quadratic time for the depth.
 */
export function isTooDeep(markup: string): boolean {
  let depth = 0;
  for (const [, end, selfEnd] of markup.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/giu)) {
    depth += end === '/' ? -1 : selfEnd === '/' ? 0 : 1;
    if (depth > DEEPEST) {
      return true;
    }
  }
  return false;
}

/** Returns the text of markup without its tags. The result is HTML. */
export const textOfMarkup = (markup: string): string =>
  markup
    .replace(/<[^<>]*>/gu, '')
    .replaceAll('<', '&lt;')
    .replace(/\s+/gu, ' ')
    .trim();
