import type { DomElement } from '../dom.js';
import { dateIn } from '../metadata/date-text.js';
import { type Block, ownLength, textLength } from './blocks.js';
import {
  isAboutAuthor,
  isByline,
  isCallForComments,
  isCountOfComments,
  isCredit,
  isDateline,
  isEnd,
  isLabel,
  isOnComments,
  isWeakEnd,
} from './labels.js';
import {
  beginsWithWord,
  isHeading,
  isLinked,
  isProse,
  type Known,
  LEAST_BEFORE_END,
  OPENING,
} from './line-kinds.js';

/** The lines that are removed from the article before it is shown. */
export interface GoneLines {
  /**
   * Lines beside the article's text, and sections after the text, such as links to other articles. Pictures beside
   * these lines are removed too if they link to other pages.
   */
  readonly around: readonly Block[];
  /** Labels such as "Share", lines before the headline, and lines that repeat the title, the author or the date. */
  readonly labels: readonly Block[];
}

/** Groups of lines that may be removed from the shown article. Each group is in page order. */
interface Lines {
  /** The lines before the headline of the page. */
  readonly before: readonly Block[];
  readonly said: readonly Block[];
  /** The lines after the headline that are inside elements beside the article's text. */
  readonly aside: readonly Block[];
}

const LONGEST_BEFORE = 500;

/**
 * Returns the lines that are removed from the shown article. If it is doubtful whether a line belongs to the article,
 * keeps the line, because a missing line of text is worse than a superfluous line.
 */
export function goneLines({ before, said, aside }: Lines, known: Known): GoneLines {
  const shown = without(said, aside);
  const endings = endingsIn(shown);
  const left = without(shown, endings);
  const linesOf = lineCounts(left);
  return {
    around: [...aside, ...endings],
    labels: [
      ...(textLength(before) < LONGEST_BEFORE ? before : []),
      ...openingIn(left, known),
      ...left.filter((block) => isMereLabel(block, linesOf)),
    ],
  };
}

function without(blocks: readonly Block[], gone: readonly Block[]): readonly Block[] {
  const all = new Set(gone);
  return blocks.filter((block) => !all.has(block));
}

/**
 * Returns the sections that follow the article, such as comments, a note about the author, and links to other pages.
 */
function endingsIn(blocks: readonly Block[]): Block[] {
  const least = LEAST_BEFORE_END * ownLength(blocks);
  const gone: Block[] = [];
  let before = 0;
  for (let at = 0; at < blocks.length;) {
    const kind = before > least ? announcedBy(blocks[at]) : undefined;
    const to = kind === undefined ? at + 1 : endOf(kind, blocks, at);
    const section = blocks.slice(at, to);
    if (kind !== undefined && leadsAway(kind, section)) {
      gone.push(...section);
    }
    before += ownLength(section);
    at = to;
  }
  return gone;
}

type Announced = 'comments' | 'person' | 'pages' | 'perhaps pages';

/**
 * Matches the heading "See also". The section below this heading stays in the article, because manuals and
 * encyclopaedias use the heading for links to their own related pages.
 */
const SEE_ALSO = /^see also/iu;

/**
 * Returns the kind of the section that begins with a line, such as comments. Returns undefined if the line is not the
 * heading of a section after the article. List items and table cells are never such headings.
 */
const announcedBy = (block: Block | undefined): Announced | undefined =>
  block !== undefined && isEnd(block.text) && !isItem(block.element)
    ? kindOf(block.text)
    : undefined;

function kindOf(text: string): Announced | undefined {
  if (isCountOfComments(text)) {
    return 'comments';
  }
  if (isAboutAuthor(text) || isCallForComments(text)) {
    return 'person';
  }
  const isDoubtful = isWeakEnd(text) || isOnComments(text);
  return SEE_ALSO.test(text) ? undefined : isDoubtful ? 'perhaps pages' : 'pages';
}

/**
 * Returns the index of the first line after a section that follows the article. The next heading of
 * the same or a higher level ends the section. A list also ends a section about a person, and a
 * paragraph also ends a section with links to other pages.
 */
function endOf(kind: Announced, blocks: readonly Block[], at: number): number {
  const level = levelOf(blocks[at]) ?? LOWEST;
  const isNext = (block: Block): boolean => {
    const own = levelOf(block);
    const isSection = own !== undefined && own <= level && !isLinked(block) && !isEnd(block.text);
    return isSection || ENDS_OF[kind](block);
  };
  const next = blocks.findIndex((block, index) => index > at && isNext(block));
  return next < 0 ? blocks.length : next;
}

const isTextAgain = (block: Block): boolean =>
  isProse(block) || block.element.closest('blockquote') !== null;

const ENDS_OF: Readonly<Record<Announced, (block: Block) => boolean>> = {
  comments: () => false,
  person: ({ element }) => element.closest('li') !== null,
  pages: isTextAgain,
  'perhaps pages': isTextAgain,
};

const LOWEST = 6;

/** Returns the level of a heading line, from 1 to 6. Returns undefined if the line is not a heading. */
function levelOf(block: Block | undefined): number | undefined {
  const level = /^h([1-6])$/u.exec(block?.element.localName ?? '')?.[1];
  return level === undefined ? undefined : Number(level);
}

/** The maximum number of paragraphs in a section about the author of a page. */
const MOST_PROSE = 1;
const LEAST_LINKED = 0.5;

/**
 * Returns true if a section contains only content that does not belong to the article, such as links to other pages.
 */
function leadsAway(kind: Announced, [, ...lines]: readonly Block[]): boolean {
  const linked = lines.filter(isLinked).length;
  return {
    comments: true,
    person: lines.filter(isProse).length <= MOST_PROSE,
    pages: linked > 0 && linked >= LEAST_LINKED * lines.length,
    'perhaps pages': linked > 0 && linked === lines.length,
  }[kind];
}

/**
 * Returns the lines before the first paragraph that repeat the title, an author or the date of the page. Returns at
 * most one line for the title, one for an author, and one for the date.
 */
function openingIn(blocks: readonly Block[], known: Known): Block[] {
  const first = blocks.findIndex(isProse);
  const opening = blocks.slice(0, Math.min(Math.max(first, 0), OPENING.lines));
  return [isTitle, isAuthors, isDay].flatMap(
    (isSaid) => opening.find((line) => isSaid(line, known)) ?? [],
  );
}

const isTitle = ({ text, element }: Block, { title }: Known): boolean =>
  isHeading(element) && text.toLowerCase() === title.toLowerCase();

const isAuthors = (block: Block, { authors }: Known): boolean =>
  isMeta(block) && authors.some((name) => isAuthorLine(block.text, name));

/**
 * Returns true if a line contains only the publication date of the page. Returns false if the name
 * of an event follows the date.
 */
const isDay = (block: Block, { day }: Known): boolean =>
  isMeta(block) &&
  isDateline(block.text) &&
  (PUBLISHED.test(block.text) || isAlone(block.text)) &&
  [true, false].some((monthFirst) => dateIn(block.text, { monthFirst })?.day === day);

const PUBLISHED =
  /^(?:(?:first |last )?(?:published|posted|updated)|modified|veröffentlicht|aktualisiert|publié|mis à jour|publicado|actualizado|opublikowan|aktualizacja|dodano|pubblicato|stand)/iu;
const LONGEST_DAY = 30;

const isAlone = (text: string): boolean =>
  text.length <= LONGEST_DAY && !/[–—-]\s?[\p{L}\d]*\s?\p{L}/u.test(text);

const isMeta = ({ text, element }: Block): boolean =>
  text.length <= OPENING.longest &&
  !isHeading(element) &&
  !isItem(element) &&
  !/[.!?:]$/u.test(text);

const isAuthorLine = (text: string, name: string): boolean =>
  text.length < name.length + 60 &&
  (isByline(text)
    ? text.toLowerCase().includes(name.toLowerCase())
    : beginsWithWord(text.toLowerCase(), name) && !/^\s?[:：]/u.test(text.slice(name.length)));

const ITEMS = 'li, dt, dd, summary, td, th, pre, figure';

/**
 * Returns true if an element is inside a list item, a table cell, a code block or a figure, or is itself such an
 * element.
 */
const isItem = (element: DomElement): boolean => element.closest(ITEMS) !== null;

const LONGEST_LABEL = 4;

/**
 * Returns true if a line is only a label, such as "Share". Returns false if the element of the line contains several
 * lines, because the element is then probably a verse or a postal address.
 */
const isMereLabel = (block: Block, linesOf: ReadonlyMap<DomElement, number>): boolean =>
  isLabel(block.text) &&
  isOnlyLabel(block) &&
  linesOf.get(block.element) === 1 &&
  !isHeading(block.element) &&
  !isItem(block.element);

/**
 * Returns true if a line has only a few words, like a label. Returns false for a line without a word, such as `* * *`
 * between scenes. Also returns false for the credit of a picture and for a line such as `Name: value`, because these
 * lines belong to the article.
 */
const isOnlyLabel = ({ text }: Block): boolean =>
  /\p{L}{2}/u.test(text) && isShort(text) && !isCredit(text);

const isShort = (text: string): boolean =>
  text.split(' ').length <= LONGEST_LABEL && !/[.!?…]$|:\s?\S/u.test(text);

function lineCounts(blocks: readonly Block[]): ReadonlyMap<DomElement, number> {
  const counts = new Map<DomElement, number>();
  for (const { element } of blocks) {
    counts.set(element, (counts.get(element) ?? 0) + 1);
  }
  return counts;
}
