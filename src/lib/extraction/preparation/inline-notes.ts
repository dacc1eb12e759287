import { decodeHTML } from 'entities';

import {
  attribute,
  type DomElement,
  type DomNode,
  isElement,
  isText,
  labelOf,
  squeezed,
  startOf,
} from '../dom.js';
import { NOTE_ATTRIBUTE } from '../markup/kept-html.js';

/**
 * Matches the class of a note that a page shows beside or above its text, although the note is inside a sentence in the
 * markup.
 */
const NOTES =
  /(?:^|[\s_-])(?:side-?notes?|margin-?notes?|foot-?notes?|end-?notes?|inline-?notes?)(?:$|[\s_-])|(?:^|\s)(?:note|annotation)(?:-?(?:text|content|body))?(?:$|\s)/iu;
const INLINE: ReadonlySet<string> = new Set(['span', 'small', 'label', 'em', 'i']);
const LEAST_WORDS = 2;
const LONGEST_NOTE = 4_000;
const MOST_NOTES = 100;

/**
 * Returns a function that checks if an element is a note inside a sentence: a side note, or a note that a script shows
 * on demand.
 */
export function inlineNoteFinder(): (element: DomElement) => boolean {
  const isInSentence = sentenceFinder();
  return (element) =>
    INLINE.has(element.localName) &&
    (NOTES.test(labelOf(element)) || /^(?:note|doc-footnote)$/u.test(attribute(element, 'role'))) &&
    hasWords(startOf(element, LONGEST_NOTE)) &&
    isInSentence(element);
}

const hasWords = (text: string): boolean =>
  text
    .trim()
    .split(/\s+/u)
    .filter((word) => /\p{L}/u.test(word)).length >= LEAST_WORDS || /[\p{Lo}]{6}/u.test(text);

/**
 * Returns a function that checks if a text precedes an element in the same parent element. The function reads each
 * parent only once.
 */
function sentenceFinder(): (element: DomElement) => boolean {
  const known = new Map<DomElement, ReadonlySet<DomNode>>();
  return (element) => {
    const { parentElement } = element;
    if (parentElement === null) {
      return false;
    }
    const leading = known.get(parentElement) ?? leadingNodes(parentElement);
    known.set(parentElement, leading);
    return !leading.has(element);
  };
}

/** Returns the children of an element up to the first child with a text. */
function leadingNodes(parent: DomElement): ReadonlySet<DomNode> {
  const leading = new Set<DomNode>();
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    leading.add(node);
    const text = isElement(node) ? startOf(node, 1) : isText(node) ? (node.textContent ?? '') : '';
    if (text.trim() !== '') {
      return leading;
    }
  }
  return leading;
}

/** Encloses a note in brackets, because it would otherwise continue the sentence around it. */
export function bracket(note: DomElement): void {
  note.removeAttribute('hidden');
  note.removeAttribute('aria-hidden');
  const text = startOf(note, LONGEST_NOTE).trim();
  const isBracketed = /^[([（［]/u.test(text);
  const small = note.ownerDocument.createElement('small');
  const id = attribute(note, 'id');
  if (id !== '') {
    small.setAttribute('id', id);
  }
  small.prepend(isBracketed ? ' ' : ' [');
  for (let node = note.firstChild; node; node = note.firstChild) {
    small.appendChild(node);
  }
  small.appendChild(note.ownerDocument.createTextNode(isBracketed ? ' ' : '] '));
  note.replaceWith(small);
}

/**
 * Adds the notes that a script keeps in attributes to the text. Omits a note if the page also shows its text, because a
 * script has only copied it.
 */
export class AttributeNotes {
  readonly #found: { readonly element: DomElement; readonly text: string }[] = [];

  look(element: DomElement): void {
    const text = this.#found.length < MOST_NOTES ? noteIn(element) : '';
    if (text !== '') {
      this.#found.push({ element, text });
    }
  }

  write(body: DomElement): void {
    const shown = this.#found.length === 0 ? '' : squeezed(startOf(body, Infinity));
    for (const { element, text } of this.#found.filter((note) => !shown.includes(note.text))) {
      const small = element.ownerDocument.createElement('small');
      small.textContent = ` [${text}] `;
      element.after(small);
      if (element.localName === 'button') {
        element.remove();
      }
    }
  }
}

function noteIn(element: DomElement): string {
  for (const { name, value } of element.attributes) {
    if (NOTE_ATTRIBUTE.test(name) && value.length <= LONGEST_NOTE) {
      const text = squeezed(decodeHTML(value.replaceAll(/<[^<>]*>/gu, ' ')));
      return hasWords(text) ? text : '';
    }
  }
  return '';
}
