import { attribute, type DomElement, eachElement, labelOf, lineOf } from '../dom.js';
import { squashed } from '../metadata/similarity.js';

/** What libraries draw of a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** How the scanner writes the TeX of a formula. */
const FORMULA = '\\(';
/** What highlighters call the numbers that they set beside lines of code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Takes out what a page draws of its text once more, which are formulas whose TeX stands beside and numbers of lines,
 * and the ids that are there to be linked to: "related-work" does not say that a section is no part of the text.
 */
export function prepareBody(body: DomElement): void {
  const drawn: DomElement[] = [];
  const hasFormula = formulaFinder();
  eachElement(body, (element) => {
    if (isAnchor(element)) {
      element.setAttribute('id', '');
    }
    const isDrawn = isFormula(element) ? hasFormula(element.parentElement) : isNumbers(element);
    if (isDrawn) {
      drawn.push(element);
    }
    return !isDrawn;
  });
  drawn.forEach((element) => {
    element.remove();
  });
}

const isFormula = (element: DomElement): boolean => DRAWN.test(attribute(element, 'class'));

/** A paragraph of many formulas is read once. */
function formulaFinder(): (parent: DomElement | null) => boolean {
  const known = new Map<DomElement | null, boolean>();
  return (parent) => {
    const found = known.get(parent) ?? (parent?.textContent ?? '').includes(FORMULA);
    known.set(parent, found);
    return found;
  };
}

const isNumbers = (element: DomElement): boolean =>
  element.hasAttribute('class') &&
  NUMBERS.test(labelOf(element)) &&
  /^[\s\d]+$/u.test(element.textContent ?? '');

/** An id that has the words of the heading. */
const isAnchor = (element: DomElement): boolean =>
  element.hasAttribute('id') &&
  squashed(attribute(element, 'id')) === squashed(headingOf(element)) &&
  !/^(?:comments?|responses?|replies)$/iu.test(attribute(element, 'id'));

function headingOf(element: DomElement): string {
  const heading = HEADING.test(element.localName) ? element : element.firstElementChild;
  return heading !== null && HEADING.test(heading.localName) ? lineOf(heading) : '';
}

const HEADING = /^h[1-6]$/u;
