/** A parser makes a node of each reference and of each bracket that opens no tag; real pages have some thousands. */
const MAX_MARKS = 100_000;
/** Millions of small pieces are dear to hold, a few large ones are not. */
const PIECES_AT_ONCE = 4096;

/** What stays of a page. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;

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
