import { type DomElement, eachElement } from '../dom.js';
import { codeOfTable } from './code-tables.js';
import { EndNotes } from './end-notes.js';
import { AttributeNotes, bracket, inlineNoteFinder } from './inline-notes.js';
import { breakLines, isCheckbox, isShownAsLine, writeTask } from './list-marks.js';
import { removePermalinks } from './permalinks.js';
import { CodeBlocks, flattenCode } from './plain-code.js';
import { isUnseen } from './unseen.js';
import { hasWrittenLines, WrittenLines } from './written-lines.js';

/**
 * Changes a page so that its text does not depend on styles and scripts: code becomes plain text, notes inside sentences
 * get brackets, and done tasks get marks. Removes links from headings to themselves, and copies of texts for paper and
 * for screen readers.
 */
export function mendDocument(body: DomElement): void {
  const found = new FoundParts();
  eachElement(body, (element) => found.look(element));
  found.mend(body);
}

const HEADINGS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 dt caption figcaption summary'.split(' '),
);

/** The maximum number of tasks that are marked in a page. */
const MOST_BOXES = 1_000;

/** The parts of a page that are changed. They are changed after the search, because a change would disturb it. */
class FoundParts {
  readonly #unseen: DomElement[] = [];
  readonly #headings: DomElement[] = [];
  readonly #notes: DomElement[] = [];
  readonly #boxes: DomElement[] = [];
  readonly #lines: DomElement[] = [];
  readonly #written: DomElement[] = [];
  readonly #code: DomElement[] = [];
  readonly #tables: DomElement[] = [];
  readonly #hidden = new AttributeNotes();
  readonly #endNotes = new EndNotes();
  readonly #isInlineNote = inlineNoteFinder();

  /** Returns false if the descendants of the element need no search. */
  look(element: DomElement): boolean {
    if (isUnseen(element)) {
      this.#unseen.push(element);
      return false;
    }
    if (element.localName === 'pre' || element.localName === 'code') {
      this.#code.push(element);
      return false;
    }
    this.#hidden.look(element);
    this.#endNotes.look(element);
    if (this.#isInlineNote(element)) {
      this.#notes.push(element);
    }
    if (hasWrittenLines(element)) {
      this.#written.push(element);
    }
    this.#sort(element);
    return true;
  }

  mend(body: DomElement): void {
    this.#unseen.forEach((element) => {
      element.remove();
    });
    this.#headings.forEach(removePermalinks);
    this.#boxes.forEach(writeTask);
    this.#lines.forEach(breakLines);
    const lines = new WrittenLines();
    this.#written.forEach((element) => {
      lines.write(element);
    });
    flattenCode([...this.#codeInTables(), ...this.#blocksOfCode()]);
    this.#notes.forEach(bracket);
    this.#hidden.write(body);
    this.#endNotes.write(body);
  }

  #sort(element: DomElement): void {
    if (HEADINGS.has(element.localName)) {
      this.#headings.push(element);
    } else if (element.localName === 'table') {
      this.#tables.push(element);
    } else if (this.#boxes.length < MOST_BOXES && isCheckbox(element)) {
      this.#boxes.push(element);
    } else if (isShownAsLine(element)) {
      this.#lines.push(element);
    }
  }

  #codeInTables(): DomElement[] {
    return this.#tables.flatMap((table) => codeOfTable(table) ?? []);
  }

  /** Returns the blocks of code that are still in the page. Code in a table may have become a part of another block. */
  #blocksOfCode(): DomElement[] {
    const blocks = new CodeBlocks();
    return this.#code.flatMap((element) => {
      if (element.parentElement === null || element.parentElement.closest('pre') !== null) {
        return [];
      }
      return element.localName === 'pre' ? [element] : (blocks.replace(element) ?? []);
    });
  }
}
