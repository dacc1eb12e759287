import { IMPLIED_END } from './kept-html.js';

/**
 * The maximum depth of elements. Real pages nest at most 55 levels deep. The stack of a recursive parser overflows
 * after some thousand levels.
 */
const MAX_DEPTH = 128;

/** The open elements of a page, as a parser would see them. Their number is at most MAX_DEPTH. */
export class TagStack {
  readonly #open: string[] = [];
  #tooDeep = 0;

  get depth(): number {
    return this.#open.length;
  }

  has(name: string): boolean {
    return this.#open.includes(name);
  }

  /** Opens an element. Returns false if the element would be too deep, so that the scanner removes its tag. */
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

  /** Closes an element. Returns false if no such element is open, so that the scanner removes the tag. */
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
