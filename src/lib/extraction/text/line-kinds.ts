import type { DomElement } from '../dom.js';
import type { Block } from './blocks.js';
import { widthOf } from './text-width.js';

/**
 * The metadata of a page that is known before its lines are classified. Lines at the start of the article that repeat
 * the metadata are removed.
 */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
  /** The publication day, as YYYY-MM-DD. Empty if it is unknown. */
  readonly day: string;
}

/**
 * Limits for a line that repeats the title, an author or the date of an article. The line must be
 * among the first `lines` lines, and have at most `longest` characters.
 */
export const OPENING = { lines: 12, longest: 160 } as const;
/** A line such as "Related articles" ends the article only if more than this share of the text precedes the line. */
export const LEAST_BEFORE_END = 0.5;
export const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
const LEAST_PROSE = 120;

export const isProse = ({ text, linked }: Block): boolean =>
  widthOf(text, LEAST_PROSE) >= LEAST_PROSE && linked < text.length / 3;

/**
 * Returns true if a line consists of a link. Returns false for headings and for terms in a
 * definition list (`<dt>`), because they are part of the text even if they are links.
 */
export const isLinkLine = (block: Block): boolean =>
  !isHeading(block.element) &&
  block.element.localName !== 'dt' &&
  isLinked(block) &&
  block.text.length < LONGEST_LINK;

export const isLinked = ({ text, linked }: Block): boolean => linked / text.length > MOST_LINKED;

export const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

/** Returns true if a line begins with the given words. Compares whole words, so "Also" does not begin with "Al". */
export const beginsWithWord = (line: string, words: string): boolean =>
  line.startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(line.slice(words.length));
