import { withoutDirections } from '../util/clean-text.js';

/** Matches a visible character, which is neither white space nor a control or formatting character. */
const VISIBLE = /[^\p{C}\p{Z}]/u;

/**
 * Returns a text as plain text of at most `maxLength` characters. Replaces each run of white space with one space, and
 * removes control characters and direction marks. Cuts a longer text at the end of a word. Returns undefined if the
 * text has no visible character.
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
  // Removes the first half of a surrogate pair if the cut has separated it from the second half.
  const start = all.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  const lastSpace = all.charAt(start.length) === ' ' ? start.length : start.lastIndexOf(' ');
  return `${(lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`;
}

/** Decodes a percent-encoded text. Returns the text unchanged if the result would not be valid UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
