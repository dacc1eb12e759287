import type { DomElement } from '../dom/dom.js';
import { withoutAsides } from './asides.js';
import { type Block, blocksOf } from './blocks.js';
import { isByline, isDateline, isEnd, isLabel } from './labels.js';

/** What is known of a page from elsewhere, and need not be said again by its first lines. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
}

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
/** The first lines may tell title, author and date; a line of this length is text. */
const OPENING = { lines: 12, longest: 160 };
/** What follows an end is cut off when this much of the text stands before it. */
const LEAST_BEFORE_END = 0.5;
const LEAST_REPEAT = 80;

/** The text of an article: its lines without those that only stand around it. */
export function textBlocks(root: DomElement, known: Known): Block[] {
  const blocks = withoutAsides(fromHeadline(blocksOf(root), known.title), root);
  return withoutRepeats(withoutLabels(untilEnd(withoutLinkLines(blocks)))).filter(
    (block, index) => !isOpening(block, index, known),
  );
}

/** A headline within the first half is where the article starts. */
function fromHeadline(blocks: readonly Block[], title: string): readonly Block[] {
  const line = title.toLowerCase();
  const at = blocks.findIndex(
    ({ text, element }) => /^h[1-3]$/u.test(element.localName) && text.toLowerCase() === line,
  );
  return at > 0 && lengthOf(blocks.slice(0, at)) < lengthOf(blocks) / 2 ? blocks.slice(at) : blocks;
}

const withoutLinkLines = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    ({ text, linked, element }) =>
      isHeading(element) || linked / text.length <= MOST_LINKED || text.length >= LONGEST_LINK,
  );

const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

const withoutLabels = (blocks: readonly Block[]): Block[] =>
  blocks.filter(({ text }) => !isLabel(text));

/** The same paragraph again is a copy for another size of screen. */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ text }) => {
    const isRepeat = text.length >= LEAST_REPEAT && seen.has(text);
    seen.add(text);
    return !isRepeat;
  });
}

function untilEnd(blocks: readonly Block[]): readonly Block[] {
  const all = lengthOf(blocks);
  let before = 0;
  for (const [index, { text }] of blocks.entries()) {
    if (before > LEAST_BEFORE_END * all && isEnd(text)) {
      return blocks.slice(0, index);
    }
    before += text.length;
  }
  return blocks;
}

function isOpening({ text }: Block, index: number, { title, authors }: Known): boolean {
  if (index >= OPENING.lines || text.length > OPENING.longest) {
    return false;
  }
  const line = text.toLowerCase();
  return (
    line === title.toLowerCase() ||
    isDateline(text) ||
    isByline(text) ||
    authors.some((name) => line.startsWith(name.toLowerCase()) && line.length < name.length + 60)
  );
}

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0);
