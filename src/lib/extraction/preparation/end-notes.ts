import { aroundMain, attribute, type DomElement, eachElement, isWithin } from '../dom.js';
import { measurer } from '../text/prose.js';
import { joinedWith } from './joined-notes.js';
import { textBeside } from './note-places.js';
import { type Reference, referenceOf, writeLink } from './note-references.js';
import { areLinks, type Notes, notesIn } from './numbered-notes.js';

/** Matches the class of a box of notes. Sites also build longer names of it, such as `Post__footnotes`. */
const NOTES = /(?:^|[\s_-])(?:foot|end)-?notes?(?:$|[\s_-])/iu;
const BOXES: ReadonlySet<string> = new Set('div section footer aside ol ul'.split(' '));
const MOST_NUMBERS = 5_000;
/** The maximum number of numbers for which a note is searched at the same time. */
const MOST_OPEN = 1_000;
const MOST_BOXES = 200;
/** The maximum number of boxes around another box. Each of them is searched for notes. */
const MOST_AROUND = 3;

/**
 * The notes of a page that are in boxes of their own, such as a list of footnotes below the article. Pages often write
 * only the same number beside a word and before its note, without a link, or place the box outside of the article.
 */
export class EndNotes {
  /** Raised elements, and boxes of notes, in document order. */
  readonly #found: DomElement[] = [];
  readonly #boxes = new Set<DomElement>();
  readonly #ids = new Ids();
  #numbers = 0;

  look(element: DomElement): void {
    this.#ids.add(element);
    if (element.localName === 'sup') {
      this.#numbers += 1;
      if (this.#numbers <= MOST_NUMBERS) {
        this.#found.push(element);
      }
    } else if (this.#boxes.size < MOST_BOXES && isBox(element) && !this.#isDeep(element)) {
      this.#boxes.add(element);
      this.#found.push(element);
    }
  }

  /** Links the numbers in the text to their notes, and moves boxes beside the text to its end. */
  write(body: DomElement): void {
    if (this.#boxes.size === 0) {
      return;
    }
    const joined = new Set<DomElement>();
    const join = this.#joinerIn(body);
    let open: readonly Reference[] = [];
    for (const element of this.#found.filter((one) => body.contains(one))) {
      if (isWithin(element, joined)) {
        continue;
      }
      if (!this.#boxes.has(element)) {
        open = withNumber(open, element);
        continue;
      }
      const done = join(open, element, joined.size + 1);
      if (done.size > 0) {
        joined.add(element);
        open = open.filter((reference) => !done.has(reference));
      }
    }
  }

  /** Returns a function that joins numbers with the notes in a box, and returns the joined numbers. */
  #joinerIn(
    body: DomElement,
  ): (open: readonly Reference[], box: DomElement, at: number) => ReadonlySet<Reference> {
    const page = { measured: measurer(), isAroundMain: aroundMain(body) };
    return (open, box, at) => {
      const joined = open.length === 0 ? [] : this.#link(open, box, at);
      const first = joined[0]?.element;
      const last = joined.at(-1)?.element;
      if (first !== undefined && last !== undefined) {
        textBeside(box, first, last, page)?.appendChild(box);
      }
      return new Set(joined);
    };
  }

  #link(open: readonly Reference[], box: DomElement, at: number): readonly Reference[] {
    const notes = notesIn(box);
    const joined = joinedWith(open, box, { notes, ids: idsIn(box) });
    if (notes.size === 0 || (!isNamed(box) && !isComplete(joined, notes))) {
      return [];
    }
    if (joined.length > 0) {
      clearNames(box, notes);
    }
    for (const reference of joined.filter(({ target }) => target === '')) {
      const note = notes.get(reference.number);
      if (note !== undefined) {
        const newId = `note-${String(at)}-${String(reference.number)}`;
        writeLink(reference, this.#ids.idOf(note, newId));
      }
    }
    return joined;
  }

  #isDeep(box: DomElement): boolean {
    let around = 0;
    for (let at = box.parentElement; at !== null && around < MOST_AROUND; at = at.parentElement) {
      around += this.#boxes.has(at) ? 1 : 0;
    }
    return around >= MOST_AROUND;
  }
}

/** The ids of a page. Several posts on a page can use the same id. */
class Ids {
  readonly #seen = new Set<string>();
  readonly #repeated = new Set<string>();

  add(element: DomElement): void {
    const id = attribute(element, 'id');
    if (id !== '') {
      (this.#seen.has(id) ? this.#repeated : this.#seen).add(id);
    }
  }

  /** Returns the id of a note. A note without an id of its own gets the given one. */
  idOf(note: DomElement, newId: string): string {
    const id = attribute(note, 'id');
    if (id !== '' && !this.#repeated.has(id)) {
      return id;
    }
    const free = this.#seen.has(newId) ? `${newId}-kept` : newId;
    note.setAttribute('id', free);
    return free;
  }
}

/** Adds the number in a raised element. A number that begins a line is the note for the equal numbers before it. */
function withNumber(open: readonly Reference[], element: DomElement): readonly Reference[] {
  const reference = open.length < MOST_OPEN ? referenceOf(element) : undefined;
  if (reference === undefined) {
    return open;
  }
  return reference.isLabel
    ? open.filter(({ number }) => number !== reference.number)
    : [...open, reference];
}

const isBox = (element: DomElement): boolean =>
  BOXES.has(element.localName) && (isNamed(element) || isListBeside(element));

const isNamed = (element: DomElement): boolean =>
  NOTES.test(attribute(element, 'class')) || attribute(element, 'role') === 'doc-endnotes';

/** Returns true for a list of numbers beside a text, which contains nothing else. */
const isListBeside = (element: DomElement): boolean =>
  element.localName === 'aside' &&
  element.firstElementChild?.localName === 'ol' &&
  element.firstElementChild.nextElementSibling === null;

/** Returns true if a list without a name contains only notes of the text. Other lists are menus, steps or rankings. */
const isComplete = (joined: readonly Reference[], notes: Notes): boolean =>
  !areLinks(notes) && new Set(joined.map(({ number }) => number)).size === notes.size;

function idsIn(box: DomElement): ReadonlySet<string> {
  const ids = new Set([attribute(box, 'id')]);
  eachElement(box, (element) => {
    ids.add(attribute(element, 'id')).add(attribute(element, 'name'));
    return true;
  });
  ids.delete('');
  return ids;
}

/**
 * Gives a box and its notes names that all later steps recognise. Other names inside it, such as `footnote-footer`,
 * mislead them.
 */
function clearNames(box: DomElement, notes: Notes): void {
  const named = new Set(notes.values());
  eachElement(box, (element) => {
    const isCode = element.localName === 'pre' || element.localName === 'code';
    if (!isCode && (named.has(element) || NOTES.test(attribute(element, 'class')))) {
      element.setAttribute('class', 'footnote');
    } else if (!isCode) {
      element.removeAttribute('class');
    }
    return !isCode;
  });
  box.setAttribute('class', 'footnotes');
}
