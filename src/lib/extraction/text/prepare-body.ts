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
import { reveal } from '../preparation/revealed.js';
import { TabLabels } from '../preparation/tab-labels.js';

/** Matches the classes of elements that a library such as KaTeX creates to show a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** The characters that the markup scanner writes before a formula in TeX. */
const FORMULA = '\\(';
/** Matches the classes of elements that contain the line numbers of code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Prepares the body of a page for Readability. Removes line numbers of code, and rendered formulas
 * whose TeX is also in the page. Changes elements that Readability would remove by mistake, such as
 * asides with notes and buttons in headings. Clears ids that only repeat a heading.
 */
export function prepareBody(body: DomElement): void {
  const drawn: DomElement[] = [];
  const notes: DomElement[] = [];
  const anchors = new Anchors();
  const isDrawn = drawnFinder();
  revealTexts(body);
  eachElement(body, (element) => {
    anchors.look(element);
    mend(element);
    if (element.localName === 'aside' && isNote(element)) {
      notes.push(element);
    }
    if (!isDrawn(element) && !isMute(element)) {
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

/** Shows the texts that the page hides only for now, with their labels as headings. */
function revealTexts(body: DomElement): void {
  const labels = new TabLabels();
  eachElement(body, (element) => {
    labels.look(element);
    return true;
  });
  reveal(body, labels.controlled);
  labels.write();
}

/**
 * Returns a function that checks if an element contains the line numbers of code, or a rendered
 * formula whose TeX is beside the element.
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

/**
 * Returns true if an element is a button without text. It opens the section below its heading, and Readability would
 * remove the heading together with the button.
 */
const isMute = (element: DomElement): boolean =>
  element.localName === 'button' &&
  startOf(element, 1).trim() === '' &&
  element.querySelector('img, iframe, video') === null;

function mend(element: DomElement): void {
  if (element.localName === 'img') {
    fillPicture(element);
  } else if (OPENING.test(element.localName)) {
    unwrapButton(element);
  }
}

/**
 * Matches the class or id of a note that belongs to the text. The words of the second group, such as `info`, must be
 * the whole class or id, because many other classes contain these words.
 */
const NOTES =
  /(?:^|[\s_-])(?:notes?|tip|hints?|warnings?|cautions?|admonition|callouts?|footnotes?|sidenotes?)(?:$|[\s_-])|(?:^|\s)(?:tips|info|infobox|important)(?:$|\s)/iu;

/** Returns true if an element is a note that belongs to the text, according to its class, id or role. */
export const isNote = (element: DomElement): boolean =>
  NOTES.test(labelOf(element)) ||
  /^(?:note|doc-)/u.test(attribute(element, 'role')) ||
  (element.localName === 'footer' && element.closest('blockquote') !== null);

/** Replaces an `<aside>` with a `<div>` that has the same content, because Readability removes each `<aside>`. */
function unwrap(aside: DomElement): void {
  const note = aside.ownerDocument.createElement('div');
  for (const name of ['class', 'id', 'role', 'hidden', 'aria-hidden'].filter((one) =>
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
 * If a heading contains only a button, replaces the button with the button's content. Such a button
 * opens the section below the heading. Clears the class of the heading, because it describes the
 * button instead of the section.
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
 * Returns the child element of an element that has no other visible content. Returns undefined if the element contains
 * text of its own or several child elements.
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
 * Returns a function that checks if an element contains a text node for which `isOne` returns true.
 * Caches the result for each element, because nested elements contain the same text nodes.
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
 * Clears ids that only repeat the heading of their section, because they do not show the purpose of
 * the section. Keeps the id of a section "Comments", which usually contains comments of readers. In
 * a manual, the section may be a chapter. Its id is therefore cleared if at least two similar
 * sections are beside it, and one of them follows it.
 */
class Anchors {
  readonly #found: DomElement[] = [];
  readonly #doubtful: { readonly element: DomElement; readonly before: number }[] = [];
  /** The number of sections with cleared ids, keyed by the parent of the sections and by their element name. */
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
      element.setAttribute('data-kept-id', attribute(element, 'id'));
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
 * Returns the heading that an element's id repeats. The id may begin with a short prefix, because programs generate ids
 * such as `s-related-work`. Returns undefined if the id repeats no heading.
 */
function anchoredBy(element: DomElement): string | undefined {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return heading !== '' && isPrefix(id, heading) ? heading : undefined;
}

/**
 * The maximum length in characters of a prefix that a program adds to an id, such as a letter or a number. A longer
 * prefix is a word that the authors of the site have chosen.
 */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Returns the text of the heading at the beginning of a section. Skips empty elements before the heading. */
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
