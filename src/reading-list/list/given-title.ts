import { withoutControls } from '../../common/control-characters.js';

const MAX_CODE_POINTS = 1000;

/** A title as a client sends it: trimmed, without control characters, cut where it is longer than any title; undefined when it is none. */
export function givenTitle(text: string): string | undefined {
  const title = withoutControls(text).trim();
  // Some clients print a missing title.
  return title === '' || title === 'null' ? undefined : cut(title, MAX_CODE_POINTS);
}

/** The first code points of a text; a surrogate pair is never halved. */
export const cut = (text: string, codePoints: number): string =>
  text.length <= codePoints
    ? text
    : Array.from(text.slice(0, 2 * codePoints))
        .slice(0, codePoints)
        .join('');
