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
 * The maximum share of the text in lines that consist of a link. With a larger share, the page is a
 * list of links, so these lines are not removed.
 */
const MOST_TEXT_LINKED = 0.5;
const LEAST_REPEAT = 80;

/**
 * The result of the classification of an article's lines. Lines that are neither in `text` nor in `gone` are shown, but
 * are not part of the text.
 */
interface ArticleLines {
  /** The lines that are the text of the article. The word count includes only these lines. */
  readonly text: readonly Block[];
  /** Returns the lines that are removed from the shown article. */
  readonly gone: () => GoneLines;
}

/**
 * Decides which lines of an article are part of its text, and which lines are removed from the
 * shown article. Doubtful lines are shown without being part of the text, because showing a
 * superfluous line does little harm.
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
 * Returns the headline and the lines after it. Returns all lines if the page has no headline, if the headline is in the
 * second half of the page, or if prose is before the headline.
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
 * Removes lines that consist of a link from an article's text, because such lines usually link to other articles. Keeps
 * these lines in tables, in lists that also have other lines, in lists that a sentence introduces, and on pages with
 * little other text.
 */
function withoutLinkLines(blocks: readonly Block[]): readonly Block[] {
  const links = blocks.filter(isLinkLine);
  if (textLength(links) > MOST_TEXT_LINKED * textLength(blocks)) {
    return blocks;
  }
  const kept = new Set(
    blocks
      .filter(
        (block, index) => isItem(block) && (!isLinkLine(block) || isIntroduced(blocks, index)),
      )
      .map(({ element }) => element.parentElement),
  );
  return blocks.filter(
    (block) =>
      !isLinkLine(block) ||
      CELLS.has(block.element.localName) ||
      (isItem(block) && kept.has(block.element.parentElement)),
  );
}

const isItem = ({ element }: Block): boolean => element.localName === 'li';

const LEAST_INTRODUCTION = 20;

/** Returns true if the line before a list ends with a colon, as in "For more information, see:". */
function isIntroduced(blocks: readonly Block[], index: number): boolean {
  const before = blocks[index - 1];
  return (
    before !== undefined &&
    !isItem(before) &&
    /[:：]$/u.test(before.text) &&
    before.text.length >= LEAST_INTRODUCTION &&
    !isLabel(before.text) &&
    !isEnd(before.text)
  );
}

/**
 * Removes lines with only a label, such as "Share", from an article's text. Keeps labels in headings, table cells and
 * code, because they are part of the content there.
 */
const withoutLabels = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    ({ text, element }) =>
      !isLabel(text) || isHeading(element) || element.closest('td, th, pre') !== null,
  );

/**
 * Removes a paragraph that repeats a paragraph of another parent element, because it is usually a
 * copy for another screen size. Keeps a repetition within the same parent element, because the
 * author probably intended it. Keeps repeated code, because a manual shows the same answer of a
 * program several times.
 */
function withoutRepeats(blocks: readonly Block[]): Block[] {
  const seen = new Map<string, DomElement | null>();
  return blocks.filter(({ text, element }) => {
    const parent = seen.get(text);
    seen.set(text, element.parentElement);
    const isCopy = parent !== undefined && parent !== element.parentElement;
    return text.length < LEAST_REPEAT || !isCopy || element.localName === 'pre';
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
