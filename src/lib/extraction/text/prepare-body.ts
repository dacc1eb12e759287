import {
  attribute,
  type DomElement,
  eachElement,
  isElement,
  isText,
  labelOf,
  startOf,
} from '../dom.js';
import { sourceSet } from '../media/image-source.js';
import { squashed } from '../metadata/similarity.js';

/** Elements in which libraries render a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** The start of the TeX that the scanner writes for a formula. */
const FORMULA = '\\(';
/** Classes of line numbers beside highlighted code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Prepares a body for extraction. Removes rendered formulas with their TeX beside them, and line numbers of code.
 * Clears ids that are only link targets: "related-work" does not mean that a section is beside the text. Unwraps
 * buttons in headings and notes in asides. Copies the addresses of `<source>` to pictures without one.
 */
export function prepareBody(body: DomElement): void {
  const drawn: DomElement[] = [];
  const notes: DomElement[] = [];
  const anchors = new Anchors();
  const isDrawn = drawnFinder();
  eachElement(body, (element) => {
    anchors.look(element);
    mend(element);
    if (element.localName === 'aside' && isNote(element)) {
      notes.push(element);
    }
    if (!isDrawn(element)) {
      return true;
    }
    drawn.push(element);
    return false;
  });
  anchors.remove();
  notes.forEach(unwrap);
  drawn.forEach((element) => {
    element.remove();
  });
}

/** Returns a check for rendered formulas with their TeX beside them, and for line numbers. */
function drawnFinder(): (element: DomElement) => boolean {
  const hasFormula = textFinder((text) => text.includes(FORMULA));
  const hasDigits = textFinder((text) => /\d/u.test(text));
  const hasWords = textFinder((text) => /[^\s\d]/u.test(text));
  return (element) => {
    const name = attribute(element, 'class');
    return DRAWN.test(name)
      ? element.parentElement !== null && hasFormula(element.parentElement)
      : NUMBERS.test(name) && hasDigits(element) && !hasWords(element);
  };
}

function mend(element: DomElement): void {
  if (element.localName === 'img') {
    fillPicture(element);
  } else if (OPENING.test(element.localName)) {
    unwrapButton(element);
  }
}

/**
 * Labels of asides that belong to the text. The words of the second group must be whole names, since other labels
 * contain them.
 */
const NOTES =
  /(?:^|[\s_-])(?:notes?|tip|hints?|warnings?|cautions?|admonition|callouts?|footnotes?|sidenotes?)(?:$|[\s_-])|(?:^|\s)(?:tips|info|infobox|important)(?:$|\s)/iu;

/** Returns true if an element is labelled as a note on the text around it. */
export const isNote = (element: DomElement): boolean =>
  NOTES.test(labelOf(element)) ||
  /^(?:note|doc-)/u.test(attribute(element, 'role')) ||
  (element.localName === 'footer' && element.closest('blockquote') !== null);

/** Replaces an aside with a `<div>`, since Readability removes all asides. */
function unwrap(aside: DomElement): void {
  const note = aside.ownerDocument.createElement('div');
  for (const name of ['class', 'id', 'hidden', 'aria-hidden'].filter((one) =>
    aside.hasAttribute(one),
  )) {
    note.setAttribute(name, attribute(aside, name));
  }
  for (let node = aside.firstChild; node; node = aside.firstChild) {
    note.appendChild(node);
  }
  aside.replaceWith(note);
}

/** Readability drops pictures without an address. */
function fillPicture(image: DomElement): void {
  const isBare = attribute(image, 'src') === '' && attribute(image, 'srcset') === '';
  const addresses = isBare ? sourceSet(image) : '';
  if (addresses !== '') {
    image.setAttribute('srcset', addresses);
  }
}

const OPENING = /^(?:h[1-6]|dt|summary)$/u;

/** A button in a heading opens a part of the text. Its class only describes its behaviour, so it is removed. */
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

/** Returns the child with all visible content of an element. */
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

/** Returns a check whether an element contains matching text. Results are cached, because elements nest. */
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

/**
 * Clears ids that repeat the heading of their section. A section "Comments" keeps its id, unless it is one of several
 * such sections and not the last one: it is then part of a manual.
 */
class Anchors {
  readonly #found: DomElement[] = [];
  readonly #doubtful: { readonly element: DomElement; readonly before: number }[] = [];
  /** Number of sections per element name, keyed by their parent. */
  readonly #sections = new Map<DomElement | null, Map<string, number>>();

  look(element: DomElement): void {
    const heading = anchoredBy(element);
    if (heading === undefined) {
      return;
    }
    const before = this.#besides(element);
    if (DISCUSSION.test(heading)) {
      this.#doubtful.push({ element, before });
      return;
    }
    this.#found.push(element);
    const beside = this.#sections.get(element.parentElement) ?? new Map<string, number>();
    beside.set(element.localName, before + 1);
    this.#sections.set(element.parentElement, beside);
  }

  remove(): void {
    const usual = this.#doubtful.filter(({ element, before }) => {
      const beside = this.#besides(element);
      return beside >= LEAST_BESIDE && beside > before;
    });
    [...this.#found, ...usual.map(({ element }) => element)].forEach((element) => {
      element.setAttribute('id', '');
    });
  }

  #besides({ parentElement, localName }: DomElement): number {
    return this.#sections.get(parentElement)?.get(localName) ?? 0;
  }
}

const DISCUSSION = /^(?:comments?|responses?|replies)$/u;
const LEAST_BESIDE = 2;

/** Returns the heading that an id repeats, with or without a short prefix: programs also generate `s-related-work`. */
function anchoredBy(element: DomElement): string | undefined {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return heading !== '' && isPrefix(id, heading) ? heading : undefined;
}

/** Programs add letters or a number as prefix. A whole word is chosen by the site. */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Returns the heading of a section; skips empty anchors before it. */
export function headingOf(element: DomElement): string {
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
/** In characters. The id of a longer heading is shorter than the heading. */
const LONGEST_HEADING = 1_000;
