import { attribute, type DomElement, eachElement, labelOf, lineOf } from '../dom/dom.js';

/** A paragraph of the page that reads like text somebody wrote. */
export interface Prose {
  readonly element: DomElement;
  readonly length: number;
}

const OUTSIDE: ReadonlySet<string> = new Set('nav footer aside form noscript header'.split(' '));
const COMMENTS = /(?:^|[\s_-])(?:comments?|disqus|respond|replies|reviews)(?:$|[\s_-])/iu;
const PARAGRAPHS: ReadonlySet<string> = new Set('p li blockquote pre'.split(' '));
const SHORTEST = { p: 40, other: 60 };
const MOST_LINKED = 0.35;

/** The prose of a body outside of navigation, forms and comments. */
export function proseOf(body: DomElement): Prose[] {
  const found: Prose[] = [];
  eachElement(body, (element) => {
    if (isOutside(element)) {
      return false;
    }
    if (!PARAGRAPHS.has(element.localName)) {
      return true;
    }
    const length = lineOf(element).length;
    const shortest = element.localName === 'p' ? SHORTEST.p : SHORTEST.other;
    if (length > shortest && linkShare(element, length) < MOST_LINKED) {
      found.push({ element, length });
      return false;
    }
    return true;
  });
  return found;
}

const isOutside = (element: DomElement): boolean =>
  OUTSIDE.has(element.localName) ||
  element.hasAttribute('hidden') ||
  attribute(element, 'aria-hidden') === 'true' ||
  COMMENTS.test(labelOf(element));

function linkShare(element: DomElement, length: number): number {
  let linked = 0;
  eachElement(element, (inner) => {
    linked += inner.localName === 'a' ? lineOf(inner).length : 0;
    return inner.localName !== 'a';
  });
  return linked / length;
}

export const lengthOf = (prose: readonly Prose[]): number =>
  prose.reduce((sum, { length }) => sum + length, 0);
