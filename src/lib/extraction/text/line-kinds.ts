import type { DomElement } from '../dom.js';
import type { Block } from './blocks.js';

/** Known metadata of a page. Lines at the start of the article that repeat this metadata are not needed. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
  /** The publication day, as YYYY-MM-DD. Empty if the day is unknown. */
  readonly day: string;
}

/**
 * The limits for lines with title, author and date. These lines are among the first `lines` lines of an article, and
 * have at most `longest` characters.
 */
export const OPENING = { lines: 12, longest: 160 } as const;
/**
 * The minimum share of the text before a line such as "Related articles". With less text before it, the line does not
 * end the article.
 */
export const LEAST_BEFORE_END = 0.5;
export const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
const LEAST_PROSE = 120;

export const isProse = ({ text, linked }: Block): boolean =>
  text.length >= LEAST_PROSE && linked < text.length / 3;

/**
 * Returns true for a line that is a single link. Returns false for headings and defined terms, because they may be
 * links.
 */
export const isLinkLine = (block: Block): boolean =>
  !isHeading(block.element) &&
  block.element.localName !== 'dt' &&
  isLinked(block) &&
  block.text.length < LONGEST_LINK;

export const isLinked = ({ text, linked }: Block): boolean => linked / text.length > MOST_LINKED;

export const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

/**
 * Returns true if a line begins with the given words. Compares whole words: "Also" does not begin with the name "Al".
 */
export const beginsWithWord = (line: string, words: string): boolean =>
  line.startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(line.slice(words.length));
