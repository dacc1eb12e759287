/** What a document that is no page of HTML tells of itself; absent is what it does not tell. */
export interface DocumentFacts {
  readonly title?: string;
  readonly excerpt?: string;
  readonly author?: string;
  readonly language?: string;
  /** In pixels, as it is shown. */
  readonly width?: number;
  readonly height?: number;
}

export const MAX_TITLE = 300;
export const MAX_EXCERPT = 300;

/** Whitespace as single spaces, control characters gone, cut at the end of a word; undefined when nothing is left. */
export function plain(text: string, maxLength: number): string | undefined {
  const all = text
    .slice(0, maxLength * 20)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (all.length <= maxLength) {
    return all === '' ? undefined : all;
  }
  // Half of a pair of surrogates is no character.
  const start = all.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  const lastSpace = all.charAt(start.length) === ' ' ? start.length : start.lastIndexOf(' ');
  return `${(lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`;
}
