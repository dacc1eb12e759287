import type { DomElement } from '../dom.js';
import type { Measure } from '../text/prose.js';

/** Elements that can contain the text to which notes belong. */
const TEXTS: ReadonlySet<string> = new Set('div section article main td'.split(' '));
const ARTICLES: ReadonlySet<string> = new Set(['article', 'main']);
/** A part of the page is the text if it has this share of the text around it. */
const MOST = 2 / 3;
/** An inner element is the text if it has this share of the text. The rest are headings and dates. */
const NEARLY_ALL = 4 / 5;

interface Page {
  readonly measured: (element: DomElement) => Measure;
  /** Returns true if an element is or contains the first headline or `<main>`. */
  readonly isAroundMain: (element: DomElement) => boolean;
}

/**
 * Returns the element to the end of which a box of notes moves: the text between two of its numbers. Returns undefined
 * if the box is already in the text, or if the numbers are only in a small part of the text, such as one paragraph.
 */
export function textBeside(
  box: DomElement,
  first: DomElement,
  last: DomElement,
  { measured, isAroundMain }: Page,
): DomElement | undefined {
  const path = pathTo(box, first, last);
  const [outer] = path;
  const around = outer?.parentElement;
  if (outer === undefined || around === undefined || around === null) {
    return undefined;
  }
  const { length } = measured(outer);
  const isText =
    ARTICLES.has(outer.localName) ||
    isAroundMain(outer) ||
    length >= MOST * measured(around).length;
  return isText
    ? path.findLast(
        (element) =>
          TEXTS.has(element.localName) && measured(element).length >= NEARLY_ALL * length,
      )
    : undefined;
}

/** Returns the elements that contain two others and not the box, from the outside to the inside. */
function pathTo(box: DomElement, first: DomElement, last: DomElement): DomElement[] {
  const path: DomElement[] = [];
  for (let at = first.parentElement; at !== null && !at.contains(box); at = at.parentElement) {
    if (path.length > 0 || at.contains(last)) {
      path.unshift(at);
    }
  }
  return path;
}
