import { attribute, type DomElement, eachElement, isElement, isText, startOf } from '../dom.js';
import { squashed } from '../metadata/similarity.js';

/** What libraries draw of a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** How the scanner writes the TeX of a formula. */
const FORMULA = '\\(';
/** What highlighters call the numbers that they set beside lines of code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Takes out what a page draws of its text once more, which are formulas whose TeX stands beside and numbers of lines,
 * and the ids that are there to be linked to: "related-work" does not say that a section is no part of the text. Headings
 * lose the buttons that they are made of.
 */
export function prepareBody(body: DomElement): void {
  const drawn: DomElement[] = [];
  const hasFormula = textFinder((text) => text.includes(FORMULA));
  const hasDigits = textFinder((text) => /\d/u.test(text));
  const hasWords = textFinder((text) => /[^\s\d]/u.test(text));
  const isNumbers = (element: DomElement): boolean => hasDigits(element) && !hasWords(element);
  eachElement(body, (element) => {
    if (isAnchor(element)) {
      element.setAttribute('id', '');
    }
    if (OPENING.test(element.localName)) {
      unwrapButton(element);
    }
    const name = attribute(element, 'class');
    const isDrawn =
      name !== '' &&
      (DRAWN.test(name)
        ? element.parentElement !== null && hasFormula(element.parentElement)
        : NUMBERS.test(name) && isNumbers(element));
    if (isDrawn) {
      drawn.push(element);
    }
    return !isDrawn;
  });
  drawn.forEach((element) => {
    element.remove();
  });
}

const OPENING = /^(?:h[1-6]|dt|summary)$/u;

/** What opens a part of the text is its heading: its class says how it behaves, and not what it is. */
function unwrapButton(heading: DomElement): void {
  const button = onlyContent(heading);
  if (button?.localName !== 'button') {
    return;
  }
  for (let node = button.firstChild; node; node = button.firstChild) {
    heading.appendChild(node);
  }
  button.remove();
  heading.setAttribute('class', '');
}

/** The element that has all that another shows. */
function onlyContent(element: DomElement): DomElement | undefined {
  let only: DomElement | undefined;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (isElement(node)) {
      if (only) {
        return undefined;
      }
      only = node;
    } else if (isText(node) && /\S/u.test(node.textContent ?? '')) {
      return undefined;
    }
  }
  return only;
}

/** Whether there is such a text below an element. Elements stand in each other, and each is looked through once. */
function textFinder(isOne: (text: string) => boolean): (element: DomElement) => boolean {
  const known = new Map<DomElement, boolean>();
  const isIn = (element: DomElement): boolean => {
    let found = known.get(element) ?? false;
    if (!known.has(element)) {
      for (let node = element.firstChild; node && !found; node = node.nextSibling) {
        found = isElement(node) ? isIn(node) : isText(node) && isOne(node.textContent ?? '');
      }
      known.set(element, found);
    }
    return found;
  };
  return isIn;
}

/** An id that has the words of the heading, behind a prefix or not: `s-related-work` is set by a program too. */
function isAnchor(element: DomElement): boolean {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return (
    heading !== '' && isPrefix(id, heading) && !/^(?:comments?|responses?|replies)$/u.test(heading)
  );
}

/** Programs write letters, or a number; a word is said by the site. */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Before the heading of a section its other anchors may stand. */
function headingOf(element: DomElement): string {
  let heading = HEADING.test(element.localName) ? element : element.firstElementChild;
  while (heading !== null && !HEADING.test(heading.localName) && isEmpty(heading)) {
    heading = heading.nextElementSibling;
  }
  return heading !== null && HEADING.test(heading.localName)
    ? startOf(heading, LONGEST_HEADING)
    : '';
}

const isEmpty = (element: DomElement): boolean => element.firstChild === null;

const HEADING = /^h[1-6]$/u;
/** A longer one has an id that is shorter. */
const LONGEST_HEADING = 1_000;
