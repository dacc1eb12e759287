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

/** A page with more of its text in such lines is a list. */
const MOST_TEXT_LINKED = 0.5;
const LEAST_REPEAT = 80;

/** The lines of an article, told apart. Those that are named nowhere are shown, and no part of its text. */
interface ArticleLines {
  /** What is counted. */
  readonly text: readonly Block[];
  /** What leaves the article that is shown. */
  readonly gone: () => GoneLines;
}

/** Most lines that are no text do an article no harm: fewer leave what is shown than what is counted. */
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

/** A headline within the first half, and before all prose, is where the article starts. */
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

/** Links alone on their lines tease other pages, but for those in tables and in lists of other lines, and where they are all there is. */
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

/** What a heading, a cell of a table or code says is meant, be it a word that labels are made of, or a mere mark. */
const withoutLabels = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    ({ text, element }) =>
      !isLabel(text) || isHeading(element) || element.closest('td, th, pre') !== null,
  );

/** The same paragraph elsewhere is a copy for another size of screen; beside the first one it is meant. */
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

/** The heads of a changelog, and what stands in a table of years. */
const DATED: ReadonlySet<string> = new Set([...CELLS, 'h2', 'h3', 'h4', 'li']);
