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
 * What an article that is read does not need. To lose a line of the text is worse than to show one too many, so that
 * links, credits, copies, items of lists and whatever reads like a sentence stay.
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

/** What is announced behind the article. */
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

/** Manuals and encyclopaedias say so of their own pages. */
const SEE_ALSO = /^see also/iu;

/** Items and cells announce nothing. */
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

/** A section ends at the next heading of its level; what tells of a person also at a list, and a list of pages at the next paragraph. */
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

/** Of a heading from 1 to 6. */
function levelOf(block: Block | undefined): number | undefined {
  const level = /^h([1-6])$/u.exec(block?.element.localName ?? '')?.[1];
  return level === undefined ? undefined : Number(level);
}

/** An author needs no more to be introduced. */
const MOST_PROSE = 1;
const LEAST_LINKED = 0.5;

/** Whether a section is what its name announces, and none of the article. */
function leadsAway(kind: Announced, [, ...lines]: readonly Block[]): boolean {
  const linked = lines.filter(isLinked).length;
  return {
    comments: true,
    person: lines.filter(isProse).length <= MOST_PROSE,
    pages: linked > 0 && linked >= LEAST_LINKED * lines.length,
    'perhaps pages': linked > 0 && linked === lines.length,
  }[kind];
}

/** What is said of the page before its first paragraph, each once. */
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

/** The same day may be the one on which something happens: then more is said than when the page was written. */
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

/** What such an element holds has its place there. */
const isItem = (element: DomElement): boolean => element.closest(ITEMS) !== null;

const LONGEST_LABEL = 4;

/** Lines of one element are verse, or an address. */
const isMereLabel = (block: Block, linesOf: ReadonlyMap<DomElement, number>): boolean =>
  isLabel(block.text) &&
  isOnlyLabel(block) &&
  linesOf.get(block.element) === 1 &&
  !isHeading(block.element) &&
  !isItem(block.element);

/** A label is short. Marks between scenes are none, credits are owed, and a colon parts a name from its value. */
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
