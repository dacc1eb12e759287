import { withoutDirections } from '../util/clean-text.js';

/** Matches a character that is neither white space nor invisible. */
const VISIBLE = /[^\p{C}\p{Z}]/u;

/**
 * Returns plain text of limited length. Collapses white space, removes control and direction characters, and cuts a
 * long text at the end of a word. Returns undefined if no character is visible.
 */
export function plain(text: string, maxLength: number): string | undefined {
  const all = withoutDirections(text.slice(0, maxLength * 20))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (!VISIBLE.test(all)) {
    return undefined;
  }
  if (all.length <= maxLength) {
    return all;
  }
  // Removes the first half of a surrogate pair that the cut has split.
  const start = all.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  const lastSpace = all.charAt(start.length) === ' ' ? start.length : start.lastIndexOf(' ');
  return `${(lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`;
}

/** Decodes percent-encoded text. Returns the text unchanged if it is not valid UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
