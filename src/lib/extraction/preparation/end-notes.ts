import { attribute, type DomElement, eachElement, isText, lineOf, startOf } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/** Matches the class of a box of notes. Sites also build longer names of it, such as `Post__footnotes`. */
const NOTES = /(?:^|[\s_-])(?:foot|end)-?notes?(?:$|[\s_-])/iu;
const BOXES: ReadonlySet<string> = new Set('div section footer aside ol ul'.split(' '));
/** Elements that can contain the text to which notes belong. */
const TEXTS = 'div, section, article, main, td, body';
/** Matches the number of a note in the text. */
const NUMBER = /^[[(]?(\d{1,3})[\])]?$/u;
/** Matches the number at the beginning of a note. */
const FIRST_NUMBER = /^\s*[[(]?(\d{1,3})(?=\D|$)/u;
const LONGEST_NUMBER = 8;
/** Matches a text that ends with a digit, or with a word of one or two letters. */
const UNIT = /\d$|(?:^|\P{L})\p{L}{1,2}$/u;
const LINK = 'a[href*="#"]';
const MOST_REFERENCES = 1_000;
const MOST_BOXES = 50;

/**
 * The notes of a page that are in boxes of their own, such as a list of footnotes below the article. Pages often write
 * only the same number beside a word and before its note, without a link, or place the box outside of the article.
 */
export class EndNotes {
  /** Numbers in the text, and boxes of notes, in document order. */
  readonly #found: DomElement[] = [];
  #boxes = 0;

  look(element: DomElement): void {
    if (isReference(element)) {
      this.#found.push(element);
    } else if (this.#boxes < MOST_BOXES && isBox(element)) {
      this.#boxes += 1;
      this.#found.push(element);
    }
  }

  /** Links the numbers in the text to their notes, and moves each box of notes to the end of the text before it. */
  write(): void {
    let open: DomElement[] = [];
    const joined = new Set<DomElement>();
    for (const element of this.#found.filter((one) => one.parentElement !== null)) {
      const isDone = isWithin(element, joined);
      if (!isDone && isReference(element) && open.length < MOST_REFERENCES) {
        open.push(element);
      } else if (!isDone && isBox(element)) {
        const rest = join(open, element, joined.size + 1);
        if (rest.length < open.length) {
          joined.add(element);
        }
        open = rest;
      }
    }
  }
}

function isWithin(element: DomElement, boxes: ReadonlySet<DomElement>): boolean {
  let at = element.parentElement;
  while (at !== null && !boxes.has(at)) {
    at = at.parentElement;
  }
  return at !== null;
}

const isBox = (element: DomElement): boolean =>
  BOXES.has(element.localName) &&
  (NOTES.test(attribute(element, 'class')) ||
    attribute(element, 'role') === 'doc-endnotes' ||
    isListBeside(element));

/** Returns true for a list of numbers beside a text, which contains nothing else. */
const isListBeside = (element: DomElement): boolean =>
  element.localName === 'aside' &&
  element.firstElementChild?.localName === 'ol' &&
  element.firstElementChild.nextElementSibling === null;

const isReference = (element: DomElement): boolean =>
  element.localName === 'sup' && numberIn(element) !== undefined && !isExponent(element);

/** Returns true for a number that follows a unit, a variable or a digit, as in `km²`. */
function isExponent(element: DomElement): boolean {
  const before = element.previousSibling;
  return before !== null && isText(before) && UNIT.test((before.textContent ?? '').slice(-3));
}

const numberIn = (element: DomElement): number | undefined => numberOf(NUMBER, element);

/** Returns the number that a pattern finds at the beginning of an element's text. */
function numberOf(pattern: RegExp, element: DomElement): number | undefined {
  const [, digits] = pattern.exec(startOf(element, LONGEST_NUMBER).trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Joins the numbers in a text with the notes in a box. Returns the numbers for which the box has no note. */
function join(references: DomElement[], box: DomElement, at: number): DomElement[] {
  const joined = counted(references, notesIn(box), `note-${String(at)}-`);
  const [first] = joined;
  const last = joined.at(-1);
  if (first === undefined || last === undefined) {
    return references;
  }
  clearNames(box);
  const text = textAround(first, last);
  if (text !== undefined && !text.contains(box)) {
    text.appendChild(box);
  }
  const done = new Set(joined);
  return references.filter((reference) => !done.has(reference));
}

/**
 * Links the numbers of notes, and returns them. Notes are numbered in the order of the text, so a number that is too
 * high is something else, such as an exponent.
 */
function counted(
  references: readonly DomElement[],
  notes: Notes,
  prefix: string,
): readonly DomElement[] {
  let next = Math.min(...notes.keys());
  return references.filter((reference) => {
    const number = numberIn(reference) ?? Infinity;
    const note = notes.get(number);
    if (note === undefined || number > next) {
      return false;
    }
    link(reference, note, `${prefix}${String(number)}`);
    next = Math.max(next, number + 1);
    return true;
  });
}

/** Returns the innermost box that contains two elements. */
function textAround(first: DomElement, last: DomElement): DomElement | undefined {
  let at = first.closest(TEXTS);
  while (at !== null && !at.contains(last)) {
    at = at.parentElement?.closest(TEXTS) ?? null;
  }
  return at ?? undefined;
}

type Notes = ReadonlyMap<number, DomElement>;

/** Returns the notes in a box by their numbers. A list counts its notes itself, other notes begin with their number. */
function notesIn(box: DomElement): Notes {
  const notes = new Map<number, DomElement>();
  const add = (number: number | undefined, note: DomElement): void => {
    // A note can have several boxes around it, which all begin with its number.
    if (number !== undefined && (notes.get(number)?.contains(note) ?? true)) {
      notes.set(number, note);
    }
  };
  const look = (element: DomElement): boolean => {
    if (element.localName === 'ol') {
      const start = Number(attribute(element, 'start') || 1);
      [...element.children].forEach((item, index) => {
        add(start + index, item);
      });
      return false;
    }
    if (BLOCKS.has(element.localName)) {
      add(numberOf(FIRST_NUMBER, element), element);
    }
    return true;
  };
  if (look(box)) {
    eachElement(box, look);
  }
  return notes;
}

/** Makes a number a link to its note, unless it is one already. A note without an id gets the given one. */
function link(reference: DomElement, note: DomElement, newId: string): void {
  const isLinked = reference.querySelector(LINK) !== null || reference.closest(LINK) !== null;
  if (isLinked) {
    return;
  }
  const id = attribute(note, 'id') || newId;
  note.setAttribute('id', id);
  const anchor = reference.ownerDocument.createElement('a');
  anchor.setAttribute('href', `#${id}`);
  anchor.textContent = lineOf(reference);
  reference.replaceChildren(anchor);
}

/** Gives a box a name that all later steps recognise. The names inside it, such as `footnote-footer`, mislead them. */
function clearNames(box: DomElement): void {
  eachElement(box, (element) => {
    const isCode = element.localName === 'pre' || element.localName === 'code';
    if (!isCode) {
      element.removeAttribute('class');
    }
    return !isCode;
  });
  box.setAttribute('class', 'footnotes');
}
