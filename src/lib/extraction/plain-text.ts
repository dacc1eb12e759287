import { withoutDirections } from '../util/clean-text.js';

/** Neither space nor mark of format. */
const VISIBLE = /[^\p{C}\p{Z}]/u;

/** White space as single spaces, control characters and directions gone, cut at the end of a word; undefined when nothing of it can be seen. */
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
  // Half of a pair of surrogates is no character.
  const start = all.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  const lastSpace = all.charAt(start.length) === ' ' ? start.length : start.lastIndexOf(' ');
  return `${(lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`;
}

/** A part of an address without its percent signs; as it is written where it is not of UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
