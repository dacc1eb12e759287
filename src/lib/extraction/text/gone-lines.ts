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
   * Lines beside the text, and lines that announce other pages. Pictures that link to other pages are removed with
   * them.
   */
  readonly around: readonly Block[];
  /** Labels, lines before the headline, and lines that repeat known metadata. */
  readonly labels: readonly Block[];
}

/** The candidates, in page order. */
interface Lines {
  /** Lines before the headline. */
  readonly before: readonly Block[];
  readonly said: readonly Block[];
  /** The lines of `said` that are in elements beside the text. */
  readonly aside: readonly Block[];
}

const LONGEST_BEFORE = 500;

/**
 * Returns the lines that a reader does not need. Losing a line of text is worse than showing one too many. Links,
 * credits, copies, list items and anything that reads like a sentence stay.
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

/** Returns the sections after the article: comments, authors and other pages. */
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

/** Manuals and encyclopaedias use it for their own pages. */
const SEE_ALSO = /^see also/iu;

/** List items and cells announce nothing. */
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
 * Returns the end of an announced section: the next heading of the same or a higher level. A section about a person
 * also ends at a list, and a list of pages at the next paragraph.
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

/** The level of a heading, 1 to 6. */
function levelOf(block: Block | undefined): number | undefined {
  const level = /^h([1-6])$/u.exec(block?.element.localName ?? '')?.[1];
  return level === undefined ? undefined : Number(level);
}

/** One paragraph is enough to introduce an author. */
const MOST_PROSE = 1;
const LEAST_LINKED = 0.5;

/** Returns true if a section contains what its heading announces, and nothing of the article. */
function leadsAway(kind: Announced, [, ...lines]: readonly Block[]): boolean {
  const linked = lines.filter(isLinked).length;
  return {
    comments: true,
    person: lines.filter(isProse).length <= MOST_PROSE,
    pages: linked > 0 && linked >= LEAST_LINKED * lines.length,
    'perhaps pages': linked > 0 && linked === lines.length,
  }[kind];
}

/** Returns the lines before the first paragraph that repeat the title, the authors and the date, one of each. */
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

/** The line may name the day of an event. It then contains more than the publication date. */
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

/** Lines in these elements belong there. */
const isItem = (element: DomElement): boolean => element.closest(ITEMS) !== null;

const LONGEST_LABEL = 4;

/** Several lines in one element are verse or an address. */
const isMereLabel = (block: Block, linesOf: ReadonlyMap<DomElement, number>): boolean =>
  isLabel(block.text) &&
  isOnlyLabel(block) &&
  linesOf.get(block.element) === 1 &&
  !isHeading(block.element) &&
  !isItem(block.element);

/**
 * Returns true for a short line with a word. Excludes separators of scenes, credits, which must stay, and pairs of a
 * name and a value.
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
