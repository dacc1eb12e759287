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

/** Matches the classes of elements that contain a formula as a library has rendered it. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** The beginning of a formula in TeX, as the markup scanner writes it into the text. */
const FORMULA = '\\(';
/** Matches the classes of elements with the line numbers of code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Removes what would disturb the search for the article of a page, such as line numbers of code. Changes elements that
 * Readability would remove by mistake, such as asides with notes, buttons in headings, and pictures whose address is
 * only in a `<source>`. Clears ids that are only link targets.
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

/**
 * Returns a function that returns true for line numbers of code, and for rendered formulas whose TeX is beside them.
 */
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
 * Matches the classes and ids of notes that belong to the text. A word of the second group must be the whole class or
 * id, because it is also a part of other classes.
 */
const NOTES =
  /(?:^|[\s_-])(?:notes?|tip|hints?|warnings?|cautions?|admonition|callouts?|footnotes?|sidenotes?)(?:$|[\s_-])|(?:^|\s)(?:tips|info|infobox|important)(?:$|\s)/iu;

/** Returns true if the class or id of an element identifies it as a note on the text around it. */
export const isNote = (element: DomElement): boolean =>
  NOTES.test(labelOf(element)) ||
  /^(?:note|doc-)/u.test(attribute(element, 'role')) ||
  (element.localName === 'footer' && element.closest('blockquote') !== null);

/** Replaces an `<aside>` with a `<div>` that has the same content, because Readability removes every aside. */
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

/** Copies the address of a `<source>` to its picture, because Readability removes pictures without an address. */
function fillPicture(image: DomElement): void {
  const isBare = attribute(image, 'src') === '' && attribute(image, 'srcset') === '';
  const addresses = isBare ? sourceSet(image) : '';
  if (addresses !== '') {
    image.setAttribute('srcset', addresses);
  }
}

const OPENING = /^(?:h[1-6]|dt|summary)$/u;

/**
 * Replaces a button that is the content of a heading with the button's content. The button opens the section below the
 * heading, and its class says nothing about the text.
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

/** Returns the only child of an element that shows anything. Returns undefined if several children show something. */
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
 * Returns a function that checks if an element contains a text for which `isOne` returns true. Caches the results,
 * because elements nest.
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
 * Clears ids that only repeat the heading of their section, because such an id says nothing about the section. A
 * section "Comments" keeps its id, unless several similar sections are beside it and one of them follows it. Then it is
 * a chapter of a manual.
 */
class Anchors {
  readonly #found: DomElement[] = [];
  readonly #doubtful: { readonly element: DomElement; readonly before: number }[] = [];
  /** Counts the sections of the page by their parent and by their element name. */
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
 * Returns the heading that an element's id repeats. The id may have a short prefix, because programs also generate ids
 * such as `s-related-work`.
 */
function anchoredBy(element: DomElement): string | undefined {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return heading !== '' && isPrefix(id, heading) ? heading : undefined;
}

/**
 * The maximum length of a prefix that a program adds to an id, such as a letter or a number. A longer prefix is a word
 * that the site has chosen.
 */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Returns the text of a section's heading. Skips empty anchors before the heading. */
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
/** The maximum number of characters of a heading that are compared with an id. No id repeats a longer heading. */
const LONGEST_HEADING = 1_000;
