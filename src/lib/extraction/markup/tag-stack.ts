import { IMPLIED_END } from './kept-html.js';

/**
 * The maximum depth of tags. Real pages nest at most 55 levels deep. Parsers are recursive, and their stacks overflow
 * after some thousand levels.
 */
const MAX_DEPTH = 128;

/** The open elements of a page, as a parser will see them. The stack has at most MAX_DEPTH elements. */
export class TagStack {
  readonly #open: string[] = [];
  #tooDeep = 0;

  get depth(): number {
    return this.#open.length;
  }

  has(name: string): boolean {
    return this.#open.includes(name);
  }

  /** Opens an element. Returns false if the element is too deep, so that its tag must be removed. */
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

  /** Closes an element. Returns false if the element was not open. */
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
