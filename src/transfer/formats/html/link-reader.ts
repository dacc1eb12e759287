import { Parser } from 'htmlparser2';

/** What a reader of links hears, in the order of the document; names of tags and attributes are in lower case. */
export interface LinkListener {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

/** Small enough that tags which are never closed cost little: the parser searches among them. */
const PIECE = 8_192;
/** Folders nest some levels; more are tags that are never closed, of which the parser then forgets. */
const MAX_DEPTH = 256;
/** A tag or a comment that is longer is not closed. Icons, which stand in attributes, have some kilobytes. */
const MAX_SILENCE = 4_000_000;

/** Reads markup as it comes, however wrong it is. */
export class LinkReader {
  readonly #listener: LinkListener;
  #parser: Parser;
  #depth = 0;
  #silence = 0;

  constructor(listener: LinkListener) {
    this.#listener = listener;
    this.#parser = this.#newParser();
  }

  /** False where the rest cannot be read, because something is opened and never closed. */
  write(text: string): boolean {
    let at = 0;
    while (at < text.length && this.#silence <= MAX_SILENCE) {
      const piece = text.slice(at, endOfPiece(text, at));
      at += piece.length;
      this.#silence += piece.length;
      this.#parser.write(piece);
      if (this.#depth > MAX_DEPTH) {
        this.#parser = this.#newParser();
      }
    }
    return this.#silence <= MAX_SILENCE;
  }

  end(): void {
    this.#parser.end();
  }

  #newParser(): Parser {
    this.#depth = 0;
    return new Parser({
      onopentag: (name, attributes) => {
        this.#depth += 1;
        this.#silence = 0;
        this.#listener.onOpen(name, attributes);
      },
      ontext: (text) => {
        this.#silence = 0;
        this.#listener.onText(text);
      },
      onclosetag: (name) => {
        this.#depth -= 1;
        this.#silence = 0;
        this.#listener.onClose(name);
      },
      oncomment: () => {
        this.#silence = 0;
      },
    });
  }
}

/** Behind a tag, where it can be: there the parser may be replaced. */
function endOfPiece(text: string, start: number): number {
  const lastTag = text.lastIndexOf('>', start + PIECE) + 1;
  return lastTag > start ? lastTag : start + PIECE;
}
