import { type DomDocument, type DomElement, parseDocument } from '../dom.js';
import type { Markup } from '../markup/scan-markup.js';
import { articleLines } from './article-lines.js';
import { blocksOf, textLength } from './blocks.js';
import type { Known } from './line-kinds.js';
import { prepareBody } from './prepare-body.js';
import { lengthOf, type Prose, proseOf } from './prose.js';
import { type Readable, readableElement } from './readable.js';

/** The part of a page that is its article. */
export interface ArticleBody {
  readonly element: DomElement | undefined;
  readonly byline: string;
  readonly usedFallback: boolean;
}

/** What of a page says whether Readability can choose in it. */
type ReadabilityLimits = 'tags' | 'links' | 'embeds' | 'nesting' | 'textNesting' | 'isFlooded';

/** A shorter text is a cookie notice or a teaser. */
const TOO_SHORT = 250;
/** A result that leaves out this much of the prose has missed some sections. */
const LEAST_COVERED = 0.7;
const ENOUGH_PROSE = 500;
const MUCH_LONGER = 2;
/** Readability takes up to 430 ms for 1,000 tags; of 736 real pages none has more than 11,265. */
const MOST_TAGS_TO_CHOOSE_FROM = 12_000;
/** What is nothing but links it reads once for each of its tries; 3,861 on one of 736 real pages, 1,058 on the next. */
const MOST_LINKS = 5_000;
/** The same of pictures and frames, which it looks through for each element that may go; 356 on real pages. */
const MOST_EMBEDS = 1_000;
/** It looks at the text of each element once for each that stands around it; 235,350 on the deepest of 736 real pages. */
const MOST_NESTING = 300_000;
/** A text of 5 MB in 120 elements takes it 15 s; an article of 1 MB in 20 stays below this. */
const MOST_TEXT_NESTING = 30_000_000;

/**
 * Readability's choice, held against the prose of the page; where it falls short by far, or the page is huge, the
 * densest element. `document` is taken apart, `markup` is what it was made of.
 */
export function articleBody(
  markup: Pick<Markup, 'html' | ReadabilityLimits>,
  document: DomDocument,
  isDeclared: boolean,
  known: Known,
): ArticleBody {
  prepareBody(document.body);
  const prose = proseOf(document.body, isDeclared);
  const readable = readableOf(document, markup);
  const length = readable ? lengthIn(readable.element) : 0;
  const isShort = fallsShort(length, lengthOf(prose));
  const dense = isShort ? betterIn(markup.html, isDeclared, readable?.element, known) : undefined;
  return {
    element: dense ?? readable?.element,
    byline: readable?.byline ?? '',
    usedFallback: dense !== undefined,
  };
}

/** The densest element, where it has more text, and still has it when what stands around an article is gone. */
function betterIn(
  html: string,
  isDeclared: boolean,
  readable: DomElement | undefined,
  known: Known,
): DomElement | undefined {
  const dense = denseIn(html, isDeclared);
  if (readable === undefined) {
    return dense;
  }
  const isLonger = isBetter(lengthIn(dense), lengthIn(readable));
  return isLonger && textIn(dense, known) >= textIn(readable, known) ? dense : undefined;
}

const readableOf = (
  document: DomDocument,
  { tags, links, embeds, nesting, textNesting, isFlooded }: Pick<Markup, ReadabilityLimits>,
): Readable | undefined =>
  isFlooded ||
  tags > MOST_TAGS_TO_CHOOSE_FROM ||
  links > MOST_LINKS ||
  embeds > MOST_EMBEDS ||
  nesting > MOST_NESTING ||
  textNesting > MOST_TEXT_NESTING
    ? undefined
    : readableElement(document);

const isBetter = (dense: number, readable: number): boolean =>
  readable < TOO_SHORT || dense > MUCH_LONGER * readable;

const fallsShort = (length: number, prose: number): boolean =>
  length < TOO_SHORT || (prose > ENOUGH_PROSE && length < LEAST_COVERED * prose);

function denseIn(html: string, isDeclared: boolean): DomElement {
  const { body } = parseDocument(html);
  prepareBody(body);
  return denseElement(body, proseOf(body, isDeclared));
}

/** What is left of it when lines that only stand around an article are dropped. */
const textIn = (element: DomElement, known: Known): number =>
  textLength(articleLines(element, known).text);

const lengthIn = (element: DomElement): number => textLength(blocksOf(element));

/** An element that has less of the prose than this leaves too much out. */
const LEAST_SHARE = 0.85;

/** The smallest element that holds nearly all prose of a body. */
function denseElement(body: DomElement, prose: readonly Prose[]): DomElement {
  const held = lengthsHeld(prose);
  let at = body;
  for (let next: DomElement | undefined = body; next; next = densestChild(at, held)) {
    at = next;
  }
  return at;
}

type Lengths = ReadonlyMap<DomElement, number>;

/** For each element the length of the prose below it. */
function lengthsHeld(prose: readonly Prose[]): Lengths {
  const held = new Map<DomElement, number>();
  for (const { element, length } of prose) {
    for (let at = element.parentElement; at; at = at.parentElement) {
      held.set(at, (held.get(at) ?? 0) + length);
    }
  }
  return held;
}

function densestChild(element: DomElement, held: Lengths): DomElement | undefined {
  const all = held.get(element) ?? 0;
  return [...element.children].find((child) => (held.get(child) ?? 0) > LEAST_SHARE * all);
}
