import { attribute, type DomElement, eachElement } from '../dom.js';
import { type Measure, measurer } from '../text/prose.js';

/**
 * Elements that HTML itself declares to be a part of a text. Their classes describe their looks or the script of a site,
 * never that they are outside of the article.
 */
const MEANINGFUL: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 blockquote q pre code dl dt dd table caption math mjx-container'.split(' '),
);
/** Meaningful elements whose parents are only their wrappers, such as a box with a button to copy code. */
const WRAPPED: ReadonlySet<string> = new Set(
  'h2 h3 h4 h5 h6 blockquote pre dl table math mjx-container'.split(' '),
);
const WRAPPERS: ReadonlySet<string> = new Set(['div', 'section', 'figure', 'span', 'header']);
/** Matches the class of a note whose role `alert` would hide it from Readability. */
const NOTICE =
  /(?:^|[\s_-])(?:alert|admonition|callout|notice|note|warning|tip|hint|info)(?:$|[\s_-])/iu;
const MOST_AROUND = 4;
/** The maximum length of the text that a wrapper has beside its meaningful elements, such as a label and a button. */
const MOST_BESIDE = 60;
const CLASS = 'data-kept-class';
const ID = 'data-kept-id';

/**
 * Hides the classes and ids of meaningful elements and of their wrappers from Readability, which judges elements by
 * words such as "header", "menu" or "share".
 */
export function shieldMeaning(body: DomElement): void {
  const found: DomElement[] = [];
  const targets = targetsIn(body);
  const measured = measurer();
  eachElement(body, (element) => {
    if (BOXES.has(element.localName)) {
      keepTarget(element, targets);
    }
    if (!MEANINGFUL.has(element.localName) && !isFormula(element)) {
      return true;
    }
    if (isListOfLinks(element, measured)) {
      return false;
    }
    found.push(element);
    hideNames(element);
    if (element.localName === 'table') {
      return false;
    }
    shieldInside(element);
    return false;
  });
  hideWrappers(
    found.filter((element) => WRAPPED.has(element.localName) || isFormula(element)),
    measured,
  );
}

/** Returns true if an element holds the place of a formula in MathML. */
const isFormula = (element: DomElement): boolean => element.hasAttribute('data-formula');

/** Shields the elements inside a meaningful element. A footer names who is quoted, so it must not look like a footer. */
function shieldInside(element: DomElement): void {
  const footers: DomElement[] = [];
  eachElement(element, (inner) => {
    // The classes in a figure tell its caption from its credit.
    if (inner.localName === 'figure') {
      return false;
    }
    hideNames(inner);
    if (inner.localName === 'footer' || inner.localName === 'aside') {
      footers.push(inner);
    }
    return true;
  });
  // Rename them after the search, because it would not continue after an element that is replaced.
  footers.forEach((footer) => {
    rename(footer, 'div');
  });
}

/** Returns true for a table or a list of definitions that consists of links, because sites use them as menus. */
function isListOfLinks(element: DomElement, measured: Measurer): boolean {
  const { length, linked } = measured(element);
  return (element.localName === 'dl' || element.localName === 'table') && linked > length / 2;
}

type Measurer = (element: DomElement) => Measure;

const BOXES: ReadonlySet<string> = new Set(['div', 'section']);

/** Returns the fragments of all links within the page. */
function targetsIn(body: DomElement): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const link of body.querySelectorAll('a[href*="#"]')) {
    targets.add(attribute(link, 'href').replace(/^[^#]*#/u, ''));
  }
  return targets;
}

/**
 * Copies the id of a box into the box if links lead there, because Readability may replace the box with its content.
 * Removes the role of a notice, because Readability removes elements with this role.
 */
function keepTarget(box: DomElement, targets: ReadonlySet<string>): void {
  const id = attribute(box, 'id');
  if (id !== '' && targets.has(id)) {
    const place = box.ownerDocument.createElement('span');
    place.setAttribute(ID, id);
    const first = box.firstElementChild;
    (first !== null && first.localName === 'p' ? first : box).prepend(place);
  }
  if (attribute(box, 'role') === 'alert' && NOTICE.test(attribute(box, 'class'))) {
    box.removeAttribute('role');
  }
}

function hideNames(element: DomElement): void {
  hide(element, 'class', CLASS);
  hide(element, 'id', ID);
}

function hide(element: DomElement, name: string, kept: string): void {
  const value = attribute(element, name);
  if (value !== '') {
    element.setAttribute(kept, value);
    element.removeAttribute(name);
  }
}

function rename(element: DomElement, name: string): void {
  const other = element.ownerDocument.createElement(name);
  for (const kept of [CLASS, ID, 'lang', 'dir'].filter((one) => element.hasAttribute(one))) {
    other.setAttribute(kept, attribute(element, kept));
  }
  for (let node = element.firstChild; node; node = element.firstChild) {
    other.appendChild(node);
  }
  element.replaceWith(other);
}

/** Shields the elements around meaningful elements that contain little other text. */
function hideWrappers(found: readonly DomElement[], measured: Measurer): void {
  const held = new Map<DomElement, number>();
  for (const element of found) {
    const { length } = measured(element);
    let at = element.parentElement;
    for (let depth = 0; at && depth < MOST_AROUND && WRAPPERS.has(at.localName); depth += 1) {
      held.set(at, (held.get(at) ?? 0) + length);
      at = at.parentElement;
    }
  }
  held.forEach((length, wrapper) => {
    if (isFull(measured(wrapper), length)) {
      hideNames(wrapper);
    }
  });
}

const isFull = ({ length, linked }: Measure, held: number): boolean =>
  held > 0 && length - held <= MOST_BESIDE && linked <= held / 2;

/** Restores the classes and ids of quotations and code, which later steps need. Restores all ids. */
export function unshield(root: DomElement): void {
  eachElement(root, (element) => {
    const name = element.localName;
    if (name === 'blockquote' || name === 'pre' || name === 'code') {
      const kept = attribute(element, CLASS);
      if (kept !== '') {
        element.setAttribute('class', kept);
      }
    }
    return true;
  });
}
