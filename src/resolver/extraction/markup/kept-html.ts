/**
 * A parser makes a node of each reference and of each bracket that opens no tag; of 736 real pages one
 * has 23,256, and no other more than 4,772.
 */
const MAX_MARKS = 30_000;
/** Millions of small pieces are dear to hold, a few large ones are not. */
const PIECES_AT_ONCE = 4096;

/** What stays of a page. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;

  /** Whether some of them went. */
  get isFlooded(): boolean {
    return this.#marks > MAX_MARKS;
  }

  tag(written: string): void {
    this.#small.push(written);
    if (this.#small.length >= PIECES_AT_ONCE) {
      this.#large.push(this.#small.join(''));
      this.#small = [];
    }
  }

  /** As it stands in the source. */
  text(raw: string): void {
    this.tag(this.#counted(raw));
  }

  toString(): string {
    return [...this.#large, ...this.#small].join('');
  }

  #counted(raw: string): string {
    if (!/[&<\0]/u.test(raw)) {
      return raw;
    }
    this.#marks += raw.match(/[&<]/gu)?.length ?? 0;
    return this.#marks > MAX_MARKS ? raw.replace(/[&<\0]+/gu, ' ') : raw.replaceAll('\0', '');
  }
}
