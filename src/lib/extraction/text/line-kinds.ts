import type { DomElement } from '../dom.js';
import type { Block } from './blocks.js';

/** Known metadata of a page, which the first lines need not repeat. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
  /** The publication day: YYYY-MM-DD, "" if unknown. */
  readonly day: string;
}

/** The first lines may contain title, author and date. Lines longer than this many characters are text. */
export const OPENING = { lines: 12, longest: 160 } as const;
/** An end line only cuts off the rest if more than this share of the text precedes it. */
export const LEAST_BEFORE_END = 0.5;
export const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
const LEAST_PROSE = 120;

export const isProse = ({ text, linked }: Block): boolean =>
  text.length >= LEAST_PROSE && linked < text.length / 3;

/** Returns true for a line that is one link. Headings and defined terms may be links. */
export const isLinkLine = (block: Block): boolean =>
  !isHeading(block.element) &&
  block.element.localName !== 'dt' &&
  isLinked(block) &&
  block.text.length < LONGEST_LINK;

export const isLinked = ({ text, linked }: Block): boolean => linked / text.length > MOST_LINKED;

export const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

/** Compares whole words: "Also" does not begin with the name "Al". */
export const beginsWithWord = (line: string, words: string): boolean =>
  line.startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(line.slice(words.length));
