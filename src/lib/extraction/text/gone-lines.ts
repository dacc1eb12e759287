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

/** Lines to remove from a shown article. */
export interface GoneLines {
  /**
   * Lines beside the text, and lines that announce other pages. Pictures that link to other pages are removed together
   * with these lines.
   */
  readonly around: readonly Block[];
  /** Labels, lines before the headline, and lines that repeat known metadata. */
  readonly labels: readonly Block[];
}

/** The lines that may be removed, in page order. */
interface Lines {
  /** The lines before the headline. */
  readonly before: readonly Block[];
  readonly said: readonly Block[];
  /** The lines in `said` that are inside elements beside the text. */
  readonly aside: readonly Block[];
}

const LONGEST_BEFORE = 500;

/**
 * Returns the lines that a reader does not need. When in doubt, a line stays, because the loss of a line of text is
 * worse than a superfluous line. Links, credits, copies, list items and sentences stay.
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

/** Returns the sections after the article, such as comments, notes about authors, and lists of other pages. */
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
 * Matches the heading "See also". Manuals and encyclopaedias use it for links to their own pages, so the section below
 * it stays.
 */
const SEE_ALSO = /^see also/iu;

/** Returns the kind of section that a line announces. List items and cells announce no section. */
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
 * Returns the end of an announced section. A section ends at the next heading of the same or a higher level. A section
 * about a person also ends at a list, and a list of pages also ends at the next paragraph.
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

/** Returns the level of a heading from 1 to 6. Returns undefined for any other line. */
function levelOf(block: Block | undefined): number | undefined {
  const level = /^h([1-6])$/u.exec(block?.element.localName ?? '')?.[1];
  return level === undefined ? undefined : Number(level);
}

/** The maximum number of paragraphs in a section about an author. */
const MOST_PROSE = 1;
const LEAST_LINKED = 0.5;

/**
 * Returns true if a section contains what its heading announces, such as links to other pages, and no part of the
 * article.
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
 * Returns the lines before the first paragraph that repeat the title, the authors or the date. Returns at most one line
 * for each of them.
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
 * Returns true if a line only repeats the publication date. A line about the day of an event contains more than the
 * date.
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
 * Returns true for an element inside a list item, a cell or a similar element. Its lines belong to the item or cell.
 */
const isItem = (element: DomElement): boolean => element.closest(ITEMS) !== null;

const LONGEST_LABEL = 4;

/**
 * Returns true if a line is only a label. If an element has several lines, they are not labels, but a verse or an
 * address.
 */
const isMereLabel = (block: Block, linesOf: ReadonlyMap<DomElement, number>): boolean =>
  isLabel(block.text) &&
  isOnlyLabel(block) &&
  linesOf.get(block.element) === 1 &&
  !isHeading(block.element) &&
  !isItem(block.element);

/**
 * Returns true for a short line that contains a word. Returns false for scene separators, for credits, which must stay,
 * and for pairs of a name and a value.
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
