import type { DomElement } from '../dom.js';
import { type Block, blocksOf, ownLength, textLength } from './blocks.js';
import { type GoneLines, goneLines } from './gone-lines.js';
import { isByline, isDateline, isEnd, isLabel, isWeakEnd } from './labels.js';
import {
  beginsWithWord,
  CELLS,
  isHeading,
  isLinkLine,
  isProse,
  type Known,
  LEAST_BEFORE_END,
  OPENING,
} from './line-kinds.js';
import { byPlace } from './line-places.js';

/**
 * The maximum share of the text in lines with only a link, up to which these lines are removed. With a larger share,
 * the page is a list of links, so the lines stay.
 */
const MOST_TEXT_LINKED = 0.5;
const LEAST_REPEAT = 80;

/**
 * The lines of an article that are its text, and the lines that are removed from the shown article. The remaining lines
 * are shown, but are not part of the text.
 */
interface ArticleLines {
  /** The lines that are the text of the article. Words are counted only in them. */
  readonly text: readonly Block[];
  /** Returns the lines that are removed from the shown article. */
  readonly gone: () => GoneLines;
}

/**
 * Decides which lines of an article are its text, and which lines are removed. Fewer lines are removed from the shown
 * article than from the text, because superfluous lines are mostly harmless when shown.
 */
export function articleLines(root: DomElement, known: Known): ArticleLines {
  const all = blocksOf(root);
  const said = fromHeadline(all, known.title);
  const { text, aside } = byPlace(said, root);
  const own = untilEnd(withoutLinkLines(text));
  return {
    text: withoutRepeats(withoutLabels(own)).filter(
      (block, index) => !isOpening(block, index, known),
    ),
    gone: () => goneLines({ before: all.slice(0, all.length - said.length), said, aside }, known),
  };
}

/**
 * Returns the headline and the lines after it. Returns all lines if the headline is in the second half of the page, or
 * if prose is before it.
 */
function fromHeadline(blocks: readonly Block[], title: string): readonly Block[] {
  const line = title.toLowerCase();
  const at = blocks.findIndex(
    ({ text, element }) => /^h[1-3]$/u.test(element.localName) && text.toLowerCase() === line,
  );
  const before = blocks.slice(0, Math.max(at, 0));
  return textLength(before) < textLength(blocks) / 2 && !before.some(isProse)
    ? blocks.slice(before.length)
    : blocks;
}

/**
 * Removes lines with only a link, which announce other pages, from an article's text. Keeps them in tables, in lists
 * that also have other lines, and on pages with little other text.
 */
function withoutLinkLines(blocks: readonly Block[]): readonly Block[] {
  const links = blocks.filter(isLinkLine);
  if (textLength(links) > MOST_TEXT_LINKED * textLength(blocks)) {
    return blocks;
  }
  const mixed = new Set(
    blocks
      .filter((block) => block.element.localName === 'li' && !isLinkLine(block))
      .map(({ element }) => element.parentElement),
  );
  return blocks.filter(
    (block) =>
      !isLinkLine(block) ||
      CELLS.has(block.element.localName) ||
      (block.element.localName === 'li' && mixed.has(block.element.parentElement)),
  );
}

/**
 * Removes lines with only a label, such as "Share", from an article's text. Keeps them in headings, table cells and
 * code, where such words are intentional.
 */
const withoutLabels = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    ({ text, element }) =>
      !isLabel(text) || isHeading(element) || element.closest('td, th, pre') !== null,
  );

/**
 * Removes a paragraph that repeats the paragraph of another element, because it is usually a copy for another screen
 * size. Keeps a repetition within one element, which is intentional.
 */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const seen = new Map<string, DomElement | null>();
  return blocks.filter(({ text, element }) => {
    const parent = seen.get(text);
    seen.set(text, element.parentElement);
    return text.length < LEAST_REPEAT || parent === undefined || parent === element.parentElement;
  });
}

function untilEnd(blocks: readonly Block[]): readonly Block[] {
  const all = ownLength(blocks);
  const lastProse = blocks.findLastIndex(isProse);
  let before = 0;
  for (const [index, block] of blocks.entries()) {
    const { text, element } = block;
    const isAnnounced = isEnd(text) && !CELLS.has(element.localName);
    if (before > LEAST_BEFORE_END * all && isAnnounced && (lastProse < index || !isWeakEnd(text))) {
      return blocks.slice(0, index);
    }
    before += ownLength([block]);
  }
  return blocks;
}

function isOpening({ text, element }: Block, index: number, { title, authors }: Known): boolean {
  if (index >= OPENING.lines || text.length > OPENING.longest) {
    return false;
  }
  const line = text.toLowerCase();
  return (
    line === title.toLowerCase() ||
    (isDateline(text) && !DATED.has(element.localName)) ||
    isByline(text) ||
    authors.some((name) => line.length < name.length + 60 && beginsWithWord(line, name))
  );
}

/**
 * Elements in which a date belongs to the content, such as the headings of a changelog or the cells of a table of
 * years.
 */
const DATED: ReadonlySet<string> = new Set([...CELLS, 'h2', 'h3', 'h4', 'li']);
