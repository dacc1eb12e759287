import { attribute, type DomElement, eachElement, lineOf } from '../dom.js';
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
    const name = attribute(element, 'class');
    const isDrawn =
      name !== '' &&
      (DRAWN.test(name) ? hasFormula(element.parentElement) : isNumbers(name, element));
    if (isDrawn) {
      drawn.push(element);
    }
    return !isDrawn;
  });
  drawn.forEach((element) => {
    element.remove();
  });
}

/** A paragraph of many formulas is read once. */
function formulaFinder(): (parent: DomElement | null) => boolean {
  const known = new Map<DomElement | null, boolean>();
  return (parent) => {
    const found = known.get(parent) ?? (parent?.textContent ?? '').includes(FORMULA);
    known.set(parent, found);
    return found;
  };
}

const isNumbers = (name: string, element: DomElement): boolean =>
  NUMBERS.test(name) && /^[\s\d]+$/u.test(element.textContent ?? '');

/** An id that has the words of the heading. */
function isAnchor(element: DomElement): boolean {
  const id = attribute(element, 'id');
  return (
    id !== '' &&
    squashed(id) === squashed(headingOf(element)) &&
    !/^(?:comments?|responses?|replies)$/iu.test(id)
  );
}

function headingOf(element: DomElement): string {
  const heading = HEADING.test(element.localName) ? element : element.firstElementChild;
  return heading !== null && HEADING.test(heading.localName) ? lineOf(heading) : '';
}

const HEADING = /^h[1-6]$/u;
