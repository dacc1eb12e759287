import { type DomDocument, type DomElement, parseDocument } from '../dom.js';
import { placeMedia } from '../embeds/place-media.js';
import type { Markup } from '../markup/scan-markup.js';
import { Introduction } from '../preparation/introduction.js';
import { mendDocument } from '../preparation/mend-document.js';
import { removeDialogs, removeOutside } from '../preparation/outside.js';
import { shieldMeaning, unshield } from '../preparation/shield.js';
import { removeBeside } from '../products/product.js';
import { articleLines } from './article-lines.js';
import { blocksOf, textLength } from './blocks.js';
import type { Known } from './line-kinds.js';
import { prepareBody } from './prepare-body.js';
import { lengthOf, type Prose, proseOf } from './prose.js';
import { type Readable, readableElement } from './readable.js';

/** The element of a page that contains its article. */
export interface ArticleBody {
  readonly element: DomElement | undefined;
  readonly byline: string;
  readonly usedFallback: boolean;
}

/** The kind of a page according to its metadata. */
export interface DeclaredKind {
  readonly isArticle: boolean;
  readonly isProduct: boolean;
}

/** The properties of a page that show if Readability can process the page in limited time. */
type ReadabilityLimits = 'tags' | 'links' | 'embeds' | 'nesting' | 'textNesting' | 'isFlooded';

/** The minimum length of an article in characters. A shorter text may be only a cookie notice or a teaser. */
const TOO_SHORT = 250;
/**
 * The minimum share of the page's prose that the element from Readability must contain. An element with a smaller share
 * lacks some sections of the article.
 */
const LEAST_COVERED = 0.7;
const ENOUGH_PROSE = 500;
const MUCH_LONGER = 2;
/**
 * The maximum number of tags in a page that Readability processes. Readability needs up to 430 ms per 1,000 tags. None
 * of 736 real pages has more than 11,265 tags.
 */
const MOST_TAGS_TO_CHOOSE_FROM = 12_000;
/**
 * The maximum number of links in a page that Readability processes. Readability makes several
 * attempts per page, and checks all links again in each attempt. Of 736 real pages, one page has
 * 3,861 links, and every other page has at most 1,058.
 */
const MOST_LINKS = 5_000;
/**
 * The maximum number of pictures and frames in a page that Readability processes. Each time Readability considers
 * removing an element, it searches all pictures and frames. Real pages have at most 356 pictures and frames.
 */
const MOST_EMBEDS = 1_000;
/**
 * The maximum nesting of a page that Readability processes. The nesting is the number of ancestors,
 * summed over all tags. Readability reads the text of an element again for each ancestor. The
 * maximum nesting of 736 real pages is 235,350.
 */
const MOST_NESTING = 300_000;
/**
 * The maximum nesting of the text in a page that Readability processes. The nesting is the number
 * of ancestors, summed over all characters. For 5 MB of text inside 120 nested elements,
 * Readability would need 15 s.
 */
const MOST_TEXT_NESTING = 30_000_000;

/**
 * Finds the article of a page: either the element that Readability finds, or the densest element. The densest element
 * is used if the element from Readability contains too little prose, or if the page is too large for Readability.
 * Modifies `document`, which was parsed from `markup`.
 */
export function articleBody(
  markup: Pick<Markup, 'html' | ReadabilityLimits>,
  document: DomDocument,
  kind: DeclaredKind,
  known: Known,
): ArticleBody {
  prepare(document.body, kind);
  removeDialogs(document.body);
  const prose = proseOf(document.body, kind.isArticle);
  const introduction = new Introduction(document.body);
  shieldMeaning(document.body);
  const readable = unshielded(readableOf(document, markup));
  const chosen = readable?.element;
  const isShort = fallsShort(chosen ? lengthIn(chosen) : 0, lengthOf(prose));
  const dense = isShort ? betterIn(markup.html, kind, chosen, known) : undefined;
  if (dense === undefined) {
    introduction.addTo(chosen);
  }
  return {
    element: dense ?? chosen,
    byline: readable?.byline ?? '',
    usedFallback: dense !== undefined,
  };
}

function unshielded(readable: Readable | undefined): Readable | undefined {
  if (readable) {
    unshield(readable.element);
  }
  return readable;
}

/**
 * Returns the densest element if Readability found no element, or only one that is worse. An
 * element is worse if it is too short for an article, or has less than half as much text. However,
 * if the densest element has less text without labels and similar lines, it is not used.
 */
function betterIn(
  html: string,
  kind: DeclaredKind,
  readable: DomElement | undefined,
  known: Known,
): DomElement | undefined {
  const dense = denseIn(html, kind);
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

function denseIn(html: string, kind: DeclaredKind): DomElement {
  const body = preparedBody(html, kind);
  removeDialogs(body);
  const dense = denseElement(body, proseOf(body, kind.isArticle));
  removeOutside(dense);
  return dense;
}

/** Parses a page, and prepares its body for the search of its article. */
export function preparedBody(html: string, kind: DeclaredKind): DomElement {
  const { body } = parseDocument(html);
  placeMedia(body);
  mendDocument(body);
  prepare(body, kind);
  return body;
}

function prepare(body: DomElement, { isProduct }: DeclaredKind): void {
  prepareBody(body);
  if (isProduct) {
    removeBeside(body);
  }
}

/** Returns the length of an element's text, without lines that are not part of an article's text, such as labels. */
const textIn = (element: DomElement, known: Known): number =>
  textLength(articleLines(element, known).text);

const lengthIn = (element: DomElement): number => textLength(blocksOf(element));

/**
 * The search for the article continues inside a child that contains more than this share of its
 * parent's prose. A child with a smaller share lacks too much of the article.
 */
const LEAST_SHARE = 0.85;

/** Returns the densest element, which is the smallest element that contains nearly all prose of the body. */
function denseElement(body: DomElement, prose: readonly Prose[]): DomElement {
  const held = lengthsHeld(prose);
  let at = body;
  for (let next: DomElement | undefined = body; next; next = densestChild(at, held)) {
    at = next;
  }
  return at;
}

type Lengths = ReadonlyMap<DomElement, number>;

/** Returns a map from each element to the total length of the prose inside it. */
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
