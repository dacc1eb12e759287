import { IMPLIED_END } from './kept-html.js';

/**
 * The maximum depth of elements. Real pages nest at most 55 levels deep. A recursive parser would exceed its call stack
 * after some thousand levels.
 */
const MAX_DEPTH = 128;

const LINES: ReadonlySet<string> = new Set('p li td th dd dt h1 h2 h3 h4 h5 h6'.split(' '));
const APART: ReadonlySet<string> = new Set('a button nav header footer label'.split(' '));

/** The open elements of a page. MAX_DEPTH limits the number of open elements. */
export class TagStack {
  readonly #open: string[] = [];
  #tooDeep = 0;

  get depth(): number {
    return this.#open.length;
  }

  has(name: string): boolean {
    return this.#open.includes(name);
  }

  /** Returns true if the current place is in a line of text, and not in a link, a button or a menu. */
  isInText(): boolean {
    return this.#open.some((name) => LINES.has(name)) && !this.isInControl();
  }

  /** Returns true if the current place is in a link, a button or a menu. */
  isInControl(): boolean {
    return this.#open.some((name) => APART.has(name));
  }

  /**
   * Opens an element. Returns false if the depth of the element would exceed MAX_DEPTH, so that the scanner removes the
   * tag of the element.
   */
  open(name: string): boolean {
    const last = this.#open.at(-1);
    if (last !== undefined && IMPLIED_END[name]?.has(last)) {
      this.#open.pop();
    }
    if (this.#open.length >= MAX_DEPTH) {
      this.#tooDeep += 1;
      return false;
    }
    this.#open.push(name);
    return true;
  }

  /**
   * Closes an element. Returns false if the element was too deep to be opened, or if no element with this name is open.
   * The scanner then removes the closing tag.
   */
  close(name: string): boolean {
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return false;
    }
    const at = this.#open.lastIndexOf(name);
    if (at < 0) {
      return false;
    }
    this.#open.length = at;
    return true;
  }
}
