import {
  aroundMain,
  attribute,
  type DomElement,
  eachElement,
  folded,
  isElement,
  isText,
  labelOf,
  lineOf,
} from '../dom.js';

/** A paragraph of prose on a page, with the element that contains it. */
export interface Prose {
  readonly element: DomElement;
  readonly length: number;
}

const OUTSIDE: ReadonlySet<string> = new Set('nav footer aside form noscript header'.split(' '));
const COMMENTS = /(?:^|[\s_-])(?:comments?|disqus|respond|replies|reviews)(?:$|[\s_-])/iu;
const PARAGRAPHS: ReadonlySet<string> = new Set('p li blockquote pre'.split(' '));
const SHORTEST = { p: 40, other: 60 };
const MOST_LINKED = 0.35;

/**
 * The minimum number of characters of prose in an element that is marked as the article. An element with less prose is
 * not used, even if the page marks it as the article.
 */
const LEAST_ARTICLE = 500;

/**
 * Returns the prose of the element that the page marks as its article. Returns the prose of the
 * whole body if no such element contains enough prose. If `isDeclared` is true, the metadata
 * declares an article. Text in links and teasers then belongs to other articles, and is not
 * counted.
 */
export function proseOf(body: DomElement, isDeclared: boolean): Prose[] {
  const marked = ['[itemprop="articleBody"]', 'article']
    .map((selector) => [...body.querySelectorAll(selector)].filter(isShown))
    .flatMap((found) =>
      found.length === 1 ? found.map((element) => proseIn(element, isDeclared)) : [],
    );
  return marked.find((prose) => lengthOf(prose) >= LEAST_ARTICLE) ?? proseIn(body, isDeclared);
}

const isShown = (element: DomElement): boolean =>
  element.closest('[hidden], [aria-hidden="true"]') === null;

/**
 * Returns the prose of an element, without navigation, forms and comments. Text in cards that are links does not count,
 * unless the metadata declares no article and most of the prose is in such cards.
 */
function proseIn(body: DomElement, isDeclared: boolean): Prose[] {
  const measured = measurer();
  const isSkipped = skipped(body, isDeclared, measured);
  const cards: DomElement[] = [];
  const page = { body, isDeclared, measured };
  const own = proseOutside(page, (element) => {
    const isCard = isLinkedCard(element, measured);
    if (isCard) {
      cards.push(element);
    }
    return isCard || isSkipped(element);
  });
  const all = cards.length > 0 && !isDeclared ? proseOutside(page, isSkipped) : own;
  return lengthOf(all) > MOSTLY_CARDS * lengthOf(own) ? all : own;
}

/** If the cards of a page contain as much prose as the rest of the page, the page consists of cards. */
const MOSTLY_CARDS = 2;

const isLinkedCard = (element: DomElement, measured: Measurer): boolean =>
  element.localName === 'a' && element.hasAttribute('href') && measured(element).hasBlocks;

type Measurer = (element: DomElement) => Measure;

interface Page {
  readonly body: DomElement;
  readonly isDeclared: boolean;
  readonly measured: Measurer;
}

/** Returns the prose outside of skipped elements. Counts a repeated text only once. */
function proseOutside(
  { body, isDeclared, measured }: Page,
  isSkipped: (element: DomElement) => boolean,
): Prose[] {
  const found: Prose[] = [];
  const seen = new Set<string>();
  eachElement(body, (element) => {
    if (isSkipped(element)) {
      return false;
    }
    if (!PARAGRAPHS.has(element.localName)) {
      return true;
    }
    const { length, linked } = measured(element);
    if (length <= shortestOf(element) || linked >= MOST_LINKED * length) {
      return true;
    }
    const text = lineOf(element);
    if (!seen.has(text)) {
      found.push({ element, length: text.length - (isDeclared ? linked : 0) });
    }
    seen.add(text);
    return false;
  });
  return found;
}

const shortestOf = ({ localName }: DomElement): number =>
  localName === 'p' ? SHORTEST.p : SHORTEST.other;

const CARDS = /(?:^|[\s_-])(?:cards?|teasers?|tiles?)(?:$|[\s_-])/iu;

/** The maximum share of the page's text that a teaser can contain. An element with a larger share is not a teaser. */
const MOST_OF_TEXT = 0.5;

/**
 * Returns a function that checks if an element is outside of the article, such as navigation or
 * comments. If `isDeclared` is true, cards and list items that contain block elements are also
 * outside, because they are teasers of other pages.
 */
function skipped(
  body: DomElement,
  isDeclared: boolean,
  measured: Measurer,
): (element: DomElement) => boolean {
  const isAround = aroundMain(body);
  const isComments = (element: DomElement): boolean =>
    COMMENTS.test(labelOf(element)) && !isAround(element);
  const isCard = (element: DomElement): boolean =>
    CARDS.test(labelOf(element)) &&
    ownOf(measured(element)) <= MOST_OF_TEXT * ownOf(measured(body));
  const isItem = (element: DomElement): boolean =>
    element.localName === 'li' && measured(element).hasBlocks;
  return (element) =>
    isOutside(element) ||
    isComments(element) ||
    (isDeclared && (isCard(element) || isItem(element)));
}

const ownOf = ({ length, linked }: Measure): number => length - linked;

const CARD_BLOCKS: ReadonlySet<string> = new Set('p div article h2 h3 h4'.split(' '));

const isOutside = (element: DomElement): boolean =>
  OUTSIDE.has(element.localName) ||
  element.hasAttribute('hidden') ||
  attribute(element, 'aria-hidden') === 'true';

export interface Measure {
  /** The number of characters in the text of an element. Of these characters, `linked` characters are in links. */
  length: number;
  linked: number;
  hasBlocks: boolean;
}

/**
 * Returns a function that counts the characters in the text of an element. Caches the result for each element, because
 * nested elements contain the same text.
 */
export function measurer(): (element: DomElement) => Measure {
  const known = new Map<DomElement, Measure>();
  const measured = (element: DomElement): Measure => {
    const measure = known.get(element) ?? { length: 0, linked: 0, hasBlocks: false };
    if (!known.has(element)) {
      known.set(element, measure);
      for (let node = element.firstChild; node; node = node.nextSibling) {
        if (isElement(node)) {
          add(measure, node, measured(node));
        } else if (isText(node)) {
          measure.length += folded(node.textContent ?? '').length;
        }
      }
    }
    return measure;
  };
  return measured;
}

function add(outer: Measure, { localName }: DomElement, inner: Measure): void {
  outer.length += inner.length;
  outer.linked += localName === 'a' ? inner.length : inner.linked;
  outer.hasBlocks ||= inner.hasBlocks || CARD_BLOCKS.has(localName);
}

export const lengthOf = (prose: readonly Prose[]): number =>
  prose.reduce((sum, { length }) => sum + length, 0);
