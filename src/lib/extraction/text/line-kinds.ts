import type { DomElement } from '../dom.js';
import type { Block } from './blocks.js';

/** What is known of a page from elsewhere, and need not be said again by its first lines. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
  /** When it was published: YYYY-MM-DD, "" when unknown. */
  readonly day: string;
}

/** The first lines may tell title, author and date; a line of this length is text. */
export const OPENING = { lines: 12, longest: 160 } as const;
/** What follows an end is cut off when this much of the text stands before it. */
export const LEAST_BEFORE_END = 0.5;
export const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
const LEAST_PROSE = 120;

export const isProse = ({ text, linked }: Block): boolean =>
  text.length >= LEAST_PROSE && linked < text.length / 3;

/** A line that is one link; a heading, or what is defined, may be one. */
export const isLinkLine = (block: Block): boolean =>
  !isHeading(block.element) &&
  block.element.localName !== 'dt' &&
  isLinked(block) &&
  block.text.length < LONGEST_LINK;

export const isLinked = ({ text, linked }: Block): boolean => linked / text.length > MOST_LINKED;

export const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

/** "Also" does not begin with the name of Al. */
export const beginsWithWord = (line: string, words: string): boolean =>
  line.startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(line.slice(words.length));
