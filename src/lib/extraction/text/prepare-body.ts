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

/** Matches the classes of elements in which libraries render a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** The start of the TeX that the markup scanner writes for a formula. */
const FORMULA = '\\(';
/** Matches the classes of line numbers beside highlighted code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Prepares a body for extraction. Removes line numbers of code, and rendered formulas whose TeX is beside them. Clears
 * ids that are only link targets: an id "related-work" does not mean that a section is beside the text. Unwraps buttons
 * in headings, and asides that are notes. Copies the addresses of `<source>` to pictures that have no address.
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

/** Returns a function that finds line numbers, and rendered formulas whose TeX is beside them. */
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
 * Matches labels of asides that belong to the text. The words of the second group must be whole labels, because other
 * labels contain these words.
 */
const NOTES =
  /(?:^|[\s_-])(?:notes?|tip|hints?|warnings?|cautions?|admonition|callouts?|footnotes?|sidenotes?)(?:$|[\s_-])|(?:^|\s)(?:tips|info|infobox|important)(?:$|\s)/iu;

/** Returns true if an element is labelled as a note on the text around it. */
export const isNote = (element: DomElement): boolean =>
  NOTES.test(labelOf(element)) ||
  /^(?:note|doc-)/u.test(attribute(element, 'role')) ||
  (element.localName === 'footer' && element.closest('blockquote') !== null);

/** Replaces an aside with a `<div>`, because Readability removes all asides. */
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

/**
 * Copies the address of a `<source>` to a picture without an address, because Readability drops pictures without an
 * address.
 */
function fillPicture(image: DomElement): void {
  const isBare = attribute(image, 'src') === '' && attribute(image, 'srcset') === '';
  const addresses = isBare ? sourceSet(image) : '';
  if (addresses !== '') {
    image.setAttribute('srcset', addresses);
  }
}

const OPENING = /^(?:h[1-6]|dt|summary)$/u;

/**
 * Unwraps a button in a heading, which opens a part of the text. Removes its class, because the class only describes
 * the behaviour of the button.
 */
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

/**
 * Returns the child that has all visible content of an element. Returns undefined if several children have visible
 * content.
 */
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

/**
 * Returns a function that checks if an element contains matching text. The results are cached, because elements nest.
 */
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
 * Clears ids that repeat the heading of their section. A section "Comments" keeps its id, unless several similar
 * sections are beside it and it is not the last of them. In this case, the section is part of a manual.
 */
class Anchors {
  readonly #found: DomElement[] = [];
  readonly #doubtful: { readonly element: DomElement; readonly before: number }[] = [];
  /** The number of sections with each element name, keyed by the parent of the sections. */
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

/**
 * Returns the heading that an id repeats. The id may have a short prefix, because programs also generate ids such as
 * `s-related-work`.
 */
function anchoredBy(element: DomElement): string | undefined {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return heading !== '' && isPrefix(id, heading) ? heading : undefined;
}

/**
 * The maximum length of a prefix that programs add to an id: a few letters or a number. A whole word as prefix is the
 * choice of the site.
 */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Returns the heading of a section. Skips empty anchors before the heading. */
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
/**
 * The number of characters of a heading that are read. If a heading is longer, its id does not repeat the whole
 * heading.
 */
const LONGEST_HEADING = 1_000;
