import { type DomElement, labelOf } from '../dom.js';
import { type Block, blocksOf, ownLength, textLength } from './blocks.js';
import { isByline, isDateline, isEnd, isLabel, isWeakEnd } from './labels.js';

/** What is known of a page from elsewhere, and need not be said again by its first lines. */
export interface Known {
  readonly title: string;
  readonly authors: readonly string[];
}

const MOST_LINKED = 0.9;
const LONGEST_LINK = 160;
/** A page with more of its text in such lines is a list. */
const MOST_TEXT_LINKED = 0.5;
/** The first lines may tell title, author and date; a line of this length is text. */
const OPENING = { lines: 12, longest: 160 };
/** What follows an end is cut off when this much of the text stands before it. */
const LEAST_BEFORE_END = 0.5;
const LEAST_REPEAT = 80;
const LEAST_PROSE = 120;

const isProse = ({ text, linked }: Block): boolean =>
  text.length >= LEAST_PROSE && linked < text.length / 3;

/** What the lines of an article are told apart into. Those of neither kind are shown, and no part of its text. */
export interface ArticleLines {
  /** Its text. */
  readonly text: readonly Block[];
  /** What stands beside the text or leads to other pages, with the pictures of those. */
  readonly around: readonly Block[];
  /** Labels, and what is known of the page from elsewhere. */
  readonly labels: readonly Block[];
}

/** The lines of an article, and those that only stand around it. */
export function articleLines(root: DomElement, known: Known): ArticleLines {
  const all = blocksOf(root);
  const said = fromHeadline(all, known.title);
  const before = all.slice(0, all.length - said.length);
  const { text: prose, caption } = byStanding(said, root);
  const own = untilEnd(withoutLinkLines(prose));
  const meant = withoutLabels(own);
  const once = withoutRepeats(meant);
  const text = once.filter((block, index) => !isOpening(block, index, known));
  const shown = [...own, ...listedIn(prose, own), ...caption.filter((one) => !isLinkLine(one))];
  return {
    text,
    around: without(said, shown),
    labels: [...before, ...without(own, meant), ...without(once, text)],
  };
}

/** The links that an article lists before its text goes on; those at its end lead away. */
function listedIn(prose: readonly Block[], own: readonly Block[]): Block[] {
  const last = own.findLast(isProse);
  return last === undefined
    ? []
    : prose.slice(0, prose.indexOf(last)).filter(({ element }) => element.localName === 'li');
}

function without(blocks: readonly Block[], left: readonly Block[]): Block[] {
  const kept = new Set(left);
  return blocks.filter((block) => !kept.has(block));
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

/** A line that is one link; a heading may be one. */
export const isLinkLine = ({ text, linked, element }: Block): boolean =>
  !isHeading(element) && linked / text.length > MOST_LINKED && text.length < LONGEST_LINK;

const isHeading = (element: DomElement): boolean => /^h[1-6]$/u.test(element.localName);

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

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

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

/** "Also" does not begin with the name of Al. */
const beginsWithWord = (line: string, words: string): boolean =>
  line.startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(line.slice(words.length));

const ELEMENTS: ReadonlySet<string> = new Set('aside nav footer form'.split(' '));
const FIGURES: ReadonlySet<string> = new Set(['figure', 'figcaption']);
const CAPTIONS = /(?:^|[\s_-])(?:captions?|wp-caption(?:-text)?|credits?|copyright)(?:$|[\s_-])/iu;
/** Words that sites label with what stands beside an article, as a part of a class or an id. */
const LABELS = new RegExp(
  `(?:^|[\\s_-])(?:${[
    'related(?:[_-]?\\w+)?|recommend(?:ed|ations?)|more-(?:from|on|stories)|read-?(?:more|next|also)|recirc\\w*|outbrain|taboola|most-(?:read|popular)|popular',
    'share|sharing|sharedaddy|social(?:-?\\w+)?|follow-us',
    'newsletter|subscribe|subscription|sign-?up|promo|advert\\w*|ad|ads|sponsor\\w*|affiliate|disclaimer|paywall|cookie\\w*|consent|gdpr',
    'author-?(?:bio|box|info|card|details|description|profile)|about-?(?:the-)?author|(?:post|entry|story)-author|contributor-?\\w*|bio|biography|byline|vcard',
    'breadcrumbs?|pagination|pager|post-?nav\\w*|navigation|tags|tag-?(?:list|links|cloud)|post-tags|entry-(?:meta|footer|utility)|post-?meta|article-?meta|postmetadata',
    'comments?|comment-?\\w+|respond|disqus|print-only|screen-reader-text|sr-only|visually-?hidden|table-of-contents',
  ].join('|')})(?:$|[\\s_-])`,
  'iu',
);
/** What holds more of the text than this is the text, whatever its label. */
const MOST_OF_TEXT = 0.3;

/** When the labels leave less than this of the text, the page uses them for something else. */
const LEAST_LEFT = 0.4;

/** Where lines stand: in the text, below a picture, or beside the text. */
type Standing = 'text' | 'caption' | 'aside';

/** The lines of each standing, by the elements around them; all are text where a page uses the names for something else. */
function byStanding(blocks: readonly Block[], root: DomElement): Record<Standing, Block[]> {
  const standingOf = standings(root, lengthsIn(blocks, root));
  const found: Record<Standing, Block[]> = { text: [], caption: [], aside: [] };
  for (const block of blocks) {
    found[standingOf(block.element)].push(block);
  }
  return textLength(found.text) < LEAST_LEFT * textLength(blocks)
    ? { text: [...blocks], caption: [], aside: [] }
    : found;
}

function standings(
  root: DomElement,
  held: ReadonlyMap<DomElement, number>,
): (element: DomElement | null) => Standing {
  const most = MOST_OF_TEXT * (held.get(root) ?? 0);
  const known = new Map<DomElement, Standing>([[root, 'text']]);
  const standingOf = (element: DomElement | null): Standing => {
    if (element === null) {
      return 'text';
    }
    const standing = known.get(element) ?? within(standingOf(element.parentElement), element);
    known.set(element, standing);
    return standing;
  };
  const within = (outer: Standing, element: DomElement): Standing => {
    const own = outer === 'aside' ? 'text' : namedOf(element);
    return own === 'text' || (held.get(element) ?? 0) >= most ? outer : own;
  };
  return standingOf;
}

function namedOf(element: DomElement): Standing {
  const label = labelOf(element);
  if (ELEMENTS.has(element.localName) || LABELS.test(label)) {
    return 'aside';
  }
  return (FIGURES.has(element.localName) && !isTable(element)) || CAPTIONS.test(label)
    ? 'caption'
    : 'text';
}

/** A table with a caption is text. */
const isTable = (element: DomElement): boolean =>
  element.localName === 'figure' && element.querySelector('table') !== null;

function lengthsIn(blocks: readonly Block[], root: DomElement): Map<DomElement, number> {
  const held = new Map<DomElement, number>([[root, 0]]);
  for (const { element, text } of blocks) {
    for (let at: DomElement | null = element; at; at = at === root ? null : at.parentElement) {
      held.set(at, (held.get(at) ?? 0) + text.length);
    }
  }
  return held;
}
