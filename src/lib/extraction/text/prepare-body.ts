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

/** What libraries draw of a formula. */
const DRAWN = /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG(?:_Display)?)?)(?:$|\s)/u;
/** How the scanner writes the TeX of a formula. */
const FORMULA = '\\(';
/** What highlighters call the numbers that they set beside lines of code. */
const NUMBERS = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl)(?:$|[\s_-])/iu;

/**
 * Takes out what a page draws of its text once more, which are formulas whose TeX stands beside and numbers of lines,
 * and the ids that are there to be linked to: "related-work" does not say that a section is no part of the text. Headings
 * lose the buttons that they are made of, notes are no asides, and a picture without an address gets those that stand
 * before it.
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

/** Tells formulas whose TeX stands beside, and numbers of lines. */
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

/** What an aside is named where it belongs to the text; the last words are also parts of other names. */
const NOTES =
  /(?:^|[\s_-])(?:notes?|tip|hints?|warnings?|cautions?|admonition|callouts?|footnotes?|sidenotes?)(?:$|[\s_-])|(?:^|\s)(?:tips|info|infobox|important)(?:$|\s)/iu;

/** Whether it is named or meant as a note on the text around it. */
export const isNote = (element: DomElement): boolean =>
  NOTES.test(labelOf(element)) ||
  /^(?:note|doc-)/u.test(attribute(element, 'role')) ||
  (element.localName === 'footer' && element.closest('blockquote') !== null);

/** Readability takes out all asides. */
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

/** Readability takes a picture without an address for nothing. */
function fillPicture(image: DomElement): void {
  const isBare = attribute(image, 'src') === '' && attribute(image, 'srcset') === '';
  const addresses = isBare ? sourceSet(image) : '';
  if (addresses !== '') {
    image.setAttribute('srcset', addresses);
  }
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

/** Those of sections that are named after their headings. Where "Comments" is one of several such and not the last, it is a part of a manual. */
class Anchors {
  readonly #found: DomElement[] = [];
  readonly #doubtful: { readonly element: DomElement; readonly before: number }[] = [];
  /** By the elements that the sections stand in, how many there are of each name. */
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

/** The heading whose words an id has, behind a prefix or not: `s-related-work` is set by a program too. */
function anchoredBy(element: DomElement): string | undefined {
  const id = squashed(attribute(element, 'id'));
  const heading = id === '' ? '' : squashed(headingOf(element));
  return heading !== '' && isPrefix(id, heading) ? heading : undefined;
}

/** Programs write letters, or a number; a word is said by the site. */
const LONGEST_PREFIX = 2;

const isPrefix = (id: string, heading: string): boolean =>
  id.endsWith(heading) && id.length - heading.length <= LONGEST_PREFIX;

/** Before the heading of a section its other anchors may stand. */
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
/** A longer one has an id that is shorter. */
const LONGEST_HEADING = 1_000;
