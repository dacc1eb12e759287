import { type Block, textLength } from '../text/blocks.js';
import type { PagesBefore } from './page-numbers.js';

/** The share of a page's text that earlier pages contain, from which the whole page is a repetition. */
const MOSTLY = 0.5;

/**
 * Returns the lines of a page that earlier pages of the article contain, at its start and at its end. They are the frame
 * of all pages, such as a standfirst. In the middle of a page, a repeated line may be a refrain. Returns all lines if
 * most of the text is repeated, for example because a page number belongs to the comments.
 */
export function repeatedLines(
  lines: readonly Block[],
  before: PagesBefore | undefined,
): readonly Block[] {
  const seen = new Set(before?.text.split('\n') ?? []);
  const isNew = ({ text }: Block): boolean => !seen.has(text);
  const repeated = lines.filter((line) => !isNew(line));
  if (textLength(repeated) >= MOSTLY * textLength(lines)) {
    return repeated.length === 0 ? [] : lines;
  }
  return [
    ...lines.slice(0, lines.findIndex(isNew)),
    ...lines.slice(lines.findLastIndex(isNew) + 1),
  ];
}
