import { attribute, type DomElement, eachElement, lineOf, startOf } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

export type Notes = ReadonlyMap<number, DomElement>;

/** Matches the number at the beginning of a note, but not a decimal number, a share or an ordinal. */
const FIRST_NUMBER = /^[[(]?(\d{1,3})(?!\d|[.,]\d|\s?%|(?:st|nd|rd|th)\b)/u;
const ONLY_NUMBER = /^[[(]?\d{1,3}[\])]?[.:]?$/u;
const LONGEST_NUMBER = 8;
const WHOLE = /^-?\d{1,4}$/u;
/** The maximum length of the text before the first note in its box, such as a heading. */
const LONGEST_HEADING = 300;
/** The notes are at least this share of the text in their box. A note can have further paragraphs without a number. */
const LEAST_SHARE = 1 / 4;

/**
 * Returns the notes in a box by their numbers. A list counts its notes itself, other notes begin with their number.
 * Returns no notes if the box is more than a box of notes, or if its numbers start again.
 */
export function notesIn(box: DomElement): Notes {
  const found = new FoundNotes();
  if (found.look(box)) {
    eachElement(box, (element) => found.look(element));
  }
  const [first] = found.notes.values();
  const isOnlyNotes =
    first !== undefined &&
    isAtStart(first, box) &&
    textOf(found.notes) >= LEAST_SHARE * textIn(box);
  return isOnlyNotes && !found.isRestarted ? found.notes : new Map();
}

/** Returns true if each note consists of a link, as in a table of contents or a list of other articles. */
export const areLinks = (notes: Notes): boolean =>
  [...notes.values()].every((note) => {
    const link = note.querySelector('a[href]');
    return link !== null && lineOf(link) === lineOf(note);
  });

const textIn = (element: DomElement): number => lineOf(element).length;

const textOf = (notes: Notes): number =>
  [...notes.values()].reduce((sum, note) => sum + textIn(note), 0);

/** Returns true if little text is before a note in its box. */
function isAtStart(note: DomElement, box: DomElement): boolean {
  let length = 0;
  let at: DomElement | null = note;
  for (; at !== null && at !== box; at = at.parentElement) {
    let sibling = at.previousElementSibling;
    for (; sibling !== null && length <= LONGEST_HEADING;) {
      length += startOf(sibling, LONGEST_HEADING + 1).length;
      sibling = sibling.previousElementSibling;
    }
  }
  return length <= LONGEST_HEADING;
}

class FoundNotes {
  readonly notes = new Map<number, DomElement>();
  isRestarted = false;

  /** Returns false if the descendants of the element need no search. */
  look(element: DomElement): boolean {
    if (element.localName === 'ol') {
      this.#addList(element);
      return false;
    }
    const text = BLOCKS.has(element.localName) ? startOf(element, LONGEST_NUMBER).trim() : '';
    const [, digits] = FIRST_NUMBER.exec(text) ?? [];
    if (digits !== undefined) {
      this.#addBlock(Number(digits), ONLY_NUMBER.test(text) ? beside(element) : element);
    }
    return true;
  }

  #addList(list: DomElement): void {
    const items = [...list.children].filter(({ localName }) => localName === 'li');
    const isReversed = list.hasAttribute('reversed');
    let number = wholeIn(list, 'start') ?? (isReversed ? items.length : 1);
    for (const item of items) {
      number = wholeIn(item, 'value') ?? number;
      this.isRestarted ||= this.notes.has(number);
      this.notes.set(number, item);
      number += isReversed ? -1 : 1;
    }
  }

  /** Adds a note. It can have several boxes around it, which all begin with its number, so the innermost box counts. */
  #addBlock(number: number, note: DomElement | null): void {
    const outer = this.notes.get(number);
    if (note !== null && (outer === undefined || outer.contains(note))) {
      this.notes.set(number, note);
    }
  }
}

function wholeIn(element: DomElement, name: string): number | undefined {
  const value = attribute(element, name).trim();
  return WHOLE.test(value) ? Number(value) : undefined;
}

/** Returns the text beside a block that contains only a number, such as a cell of a table. */
function beside(element: DomElement): DomElement | null {
  const next = element.nextElementSibling;
  return element.localName === 'td' || element.localName === 'th' || next === null ? null : next;
}
