import { attribute, type DomElement, eachElement, labelOf, lineOf } from '../dom.js';

/** A paragraph of the page that reads like written text. */
export interface Prose {
  readonly element: DomElement;
  readonly length: number;
}

const OUTSIDE: ReadonlySet<string> = new Set('nav footer aside form noscript header'.split(' '));
const COMMENTS = /(?:^|[\s_-])(?:comments?|disqus|respond|replies|reviews)(?:$|[\s_-])/iu;
const PARAGRAPHS: ReadonlySet<string> = new Set('p li blockquote pre'.split(' '));
const SHORTEST = { p: 40, other: 60 };
const MOST_LINKED = 0.35;

/** An element that holds less is not what its name says. */
const LEAST_ARTICLE = 500;

/** The prose of a page: of its article where the page marks one, else of its body. */
export function proseOf(body: DomElement): Prose[] {
  const marked = ['[itemprop="articleBody"]', 'article']
    .map((selector) => [...body.querySelectorAll(selector)])
    .flatMap((found) => (found.length === 1 ? found.map(proseIn) : []));
  return marked.find((prose) => lengthOf(prose) >= LEAST_ARTICLE) ?? proseIn(body);
}

/** What stands outside of navigation, forms and comments; what is there twice counts once. */
function proseIn(body: DomElement): Prose[] {
  const found: Prose[] = [];
  const seen = new Set<string>();
  eachElement(body, (element) => {
    if (isOutside(element)) {
      return false;
    }
    if (!PARAGRAPHS.has(element.localName)) {
      return true;
    }
    const text = lineOf(element);
    const { length } = text;
    const shortest = element.localName === 'p' ? SHORTEST.p : SHORTEST.other;
    if (length > shortest && linkShare(element, length) < MOST_LINKED) {
      if (!seen.has(text)) {
        found.push({ element, length });
      }
      seen.add(text);
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
