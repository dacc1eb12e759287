import { withoutControls } from '../../util/clean-text.js';

/** A line as it stands on a page; lengths are in points, from the lower left corner. */
export interface PdfLine {
  readonly text: string;
  /** The height of most of its letters. */
  readonly size: number;
  readonly left: number;
  readonly width: number;
  readonly baseline: number;
  /** From top to bottom, the next line to the left. */
  readonly isVertical: boolean;
}

/** A piece of text as the parser finds it. */
interface PdfText {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly unknown[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

/** Forms of punctuation for vertical lines, which no search would find. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/gu;
/** Soft hyphens, and signs that only the document's own font can draw. */
const UNREADABLE = /[\u00ad\p{Co}]/gu;

/** What leads from a title to the number of its page. */
const LEADER = /(?: ?\.){5,} ?/gu;

/** Makes lines of the pieces of a page, which come in any portions. */
export class PdfLines {
  readonly #lines: PdfLine[] = [];
  #open: PdfText[] = [];
  /** The last of them that shows something: a page may have a million blanks. */
  #last: PdfText | undefined;

  /** The number of characters that came. */
  add(pieces: readonly object[]): number {
    let characters = 0;
    for (const piece of pieces) {
      if (isText(piece)) {
        characters += piece.str.length;
        if (this.#isLower(piece)) {
          this.#close();
        }
        this.#open.push(piece);
        this.#last = piece.str.trim() === '' ? this.#last : piece;
        if (piece.hasEOL) {
          this.#close();
        }
      }
    }
    return characters;
  }

  /** Those of the page, in the order of the document. */
  take(): PdfLine[] {
    this.#close();
    return this.#lines.splice(0);
  }

  /** Some lines do not say that they end. */
  #isLower(piece: PdfText): boolean {
    const last = this.#last;
    const fall = Math.abs(numberAt(last, BASELINE) - numberAt(piece, BASELINE));
    return (
      last?.dir === 'ltr' &&
      piece.str.trim() !== '' &&
      fall > 0.6 * Math.max(last.height, piece.height)
    );
  }

  #close(): void {
    const line = lineOf(this.#open);
    if (line.text !== '') {
      this.#lines.push(line);
    }
    this.#open = [];
    this.#last = undefined;
  }
}

const isText = (piece: object): piece is PdfText => 'str' in piece;

function lineOf(pieces: readonly PdfText[]): PdfLine {
  const text = readable(pieces.map(({ str }) => str).join(''));
  const shown = pieces.filter(({ str }) => str.trim() !== '');
  const [longest] = shown.toSorted((one, other) => other.str.length - one.str.length);
  const isVertical = longest?.dir === 'ttb';
  const lefts = shown.map(leftOf);
  const left = lefts.reduce((least, each) => Math.min(least, each), Infinity);
  return {
    text,
    size: (isVertical ? longest.width : longest?.height) ?? 0,
    left,
    width: shown.reduce((most, piece) => Math.max(most, leftOf(piece) + piece.width), left) - left,
    baseline: numberAt(shown[0], BASELINE),
    isVertical,
  };
}

/** In the matrix of a piece. */
const LEFT = 4;
const BASELINE = 5;

function numberAt(piece: PdfText | undefined, at: number): number {
  const value = piece?.transform[at];
  return typeof value === 'number' ? value : 0;
}

const leftOf = (piece: PdfText): number => numberAt(piece, LEFT);

const readable = (text: string): string =>
  withoutControls(text)
    .replace(UNREADABLE, '')
    .replace(VERTICAL_FORMS, (form) => form.normalize('NFKC'))
    .replace(/\s+/gu, ' ')
    .replace(LEADER, ' … ')
    .trim()
    .toWellFormed();
