import type { DomElement } from '../dom.js';
import { type Block, ownLength, textLength } from './blocks.js';
import { isByline, isComments, isCredit, isDateline, isEnd, isLabel, isWeakEnd } from './labels.js';
import {
  beginsWithWord,
  isHeading,
  isLinked,
  isProse,
  type Known,
  LEAST_BEFORE_END,
  OPENING,
} from './line-kinds.js';

/** What leaves an article that is shown. */
export interface GoneLines {
  /** What stands beside the text or announces other pages, with the pictures that lead to those. */
  readonly around: readonly Block[];
  /** Labels, and what is known of the page from elsewhere. */
  readonly labels: readonly Block[];
}

/** Lines from which it is chosen, in the order of the page. */
interface Lines {
  /** Before the headline. */
  readonly before: readonly Block[];
  readonly said: readonly Block[];
  /** Those of them that elements set beside the text. */
  readonly aside: readonly Block[];
}

const LONGEST_BEFORE = 500;

/**
 * What nobody misses in an article that is read. To lose a line of the text is worse than to show one too many, so that
 * links, credits, copies, items of lists and whatever reads like a sentence stay.
 */
export function goneLines({ before, said, aside }: Lines, known: Known): GoneLines {
  const shown = without(said, aside);
  const endings = endingsIn(shown);
  const left = without(shown, endings);
  return {
    around: [...aside, ...endings],
    labels: [
      ...(textLength(before) < LONGEST_BEFORE ? before : []),
      ...openingIn(left, known),
      ...left.filter(isMereLabel),
    ],
  };
}

function without(blocks: readonly Block[], gone: readonly Block[]): readonly Block[] {
  const all = new Set(gone);
  return blocks.filter((block) => !all.has(block));
}

/** What is announced behind the article: each time up to the heading of another section. */
function endingsIn(blocks: readonly Block[]): Block[] {
  const least = LEAST_BEFORE_END * ownLength(blocks);
  const lastProse = blocks.findLastIndex(isProse);
  const gone: Block[] = [];
  let before = 0;
  for (let at = 0; at < blocks.length;) {
    const isAnnounced = before > least && isAnnouncement(blocks[at]);
    const to = isAnnounced ? endOfSection(blocks, at) : at + 1;
    const section = blocks.slice(at, to);
    if (isAnnounced && leadsAway(section, lastProse < at)) {
      gone.push(...section);
    }
    before += ownLength(section);
    at = to;
  }
  return gone;
}

/** Names of sections stand in headings and paragraphs. */
const isAnnouncement = (block: Block | undefined): boolean =>
  block !== undefined && isEnd(block.text) && !isItem(block.element);

function endOfSection(blocks: readonly Block[], at: number): number {
  const heading = levelOf(blocks[at]);
  const next = blocks.findIndex(
    (block, index) =>
      index > at && levelOf(block) <= heading && !isLinked(block) && !isEnd(block.text),
  );
  return next < 0 || isComments(blocks[at]?.text ?? '') ? blocks.length : next;
}

/** Of a heading from 1 to 6; a line of another kind announces any section, and is none. */
function levelOf(block: Block | undefined): number {
  const level = /^h([1-6])$/u.exec(block?.element.localName ?? '')?.[1];
  return level === undefined ? NO_HEADING : Number(level);
}

const NO_HEADING = 7;
/** Manuals and encyclopaedias say so of their own pages. */
const SEE_ALSO = /^see also/iu;
/** Few lines tell of an author or of another page. */
const MOST_PROSE = 1;

/** Whether a section that is named so is none of the article. */
function leadsAway(section: readonly Block[], isLast: boolean): boolean {
  const [name, ...lines] = section;
  const text = name?.text ?? '';
  if (isWeakEnd(text)) {
    return (
      isLast && !SEE_ALSO.test(text) && (isComments(text) || lines.every((line) => isLinked(line)))
    );
  }
  return isComments(text) || lines.filter(isProse).length <= MOST_PROSE;
}

/** What is said of the page before its first paragraph. */
function openingIn(blocks: readonly Block[], known: Known): readonly Block[] {
  const first = blocks.findIndex(isProse);
  return blocks
    .slice(0, Math.min(first < 0 ? 1 : first, OPENING.lines))
    .filter((block) => isSaid(block, known));
}

function isSaid({ text, element }: Block, { title, authors }: Known): boolean {
  const line = text.toLowerCase();
  if (line === title.toLowerCase()) {
    return !isItem(element);
  }
  const isMeta = !isHeading(element) && !isItem(element) && !/[.!?:]$/u.test(text);
  return isMeta && text.length <= OPENING.longest && isOfPage(text, authors);
}

const isOfPage = (text: string, authors: readonly string[]): boolean =>
  isDateline(text) || isByline(text) || authors.some((name) => isAuthorLine(text, name));

const isAuthorLine = (text: string, name: string): boolean =>
  text.length < name.length + 60 &&
  beginsWithWord(text.toLowerCase(), name) &&
  !/^\s?[:：]/u.test(text.slice(name.length));

const ITEMS = 'li, dt, dd, summary, td, th, pre, figure';

/** What such an element holds has its place there. */
const isItem = (element: DomElement): boolean => element.closest(ITEMS) !== null;

/** Marks between scenes are no labels, and credits are owed. */
const isMereLabel = ({ text, element }: Block): boolean =>
  isLabel(text) &&
  /\p{L}{2}/u.test(text) &&
  !isCredit(text) &&
  !isHeading(element) &&
  !isItem(element);
