import { withoutControls } from '../../util/clean-text.js';

/** A line of text on a page of a PDF. Lengths are in points, measured from the lower left corner of the page. */
export interface PdfLine {
  readonly text: string;
  /**
   * The letter height in points. If a line has several heights, this is the height of its longest
   * text fragment.
   */
  readonly size: number;
  readonly left: number;
  readonly width: number;
  readonly baseline: number;
  /** True for vertical writing, in which the letters run from top to bottom and the next line is to the left. */
  readonly isVertical: boolean;
}

/** A text fragment, as the PDF parser returns it. */
interface PdfText {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly unknown[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

/**
 * Matches the special punctuation characters for vertical writing. They are replaced with ordinary
 * punctuation, so that searches find the text.
 */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/gu;
/**
 * Matches soft hyphens and private-use characters, which are unreadable outside the fonts of the
 * PDF.
 */
const UNREADABLE = /[\u00ad\p{Co}]/gu;

/** Matches a row of dots between a title and its page number in a table of contents. */
const LEADER = /(?: ?\.){5,} ?/gu;

/** Joins the text fragments of a PDF page into lines. */
export class PdfLines {
  readonly #lines: PdfLine[] = [];
  #open: PdfText[] = [];
  /**
   * The last fragment with visible text in the current line. It is stored, because a search for it
   * might skip a million blank fragments.
   */
  #last: PdfText | undefined;

  /** Adds text fragments to the page, and returns their total number of characters. */
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

  /**
   * Removes the finished lines of the page from this object, and returns them in document order.
   */
  take(): PdfLine[] {
    this.#close();
    return this.#lines.splice(0);
  }

  /**
   * Returns true if a text fragment is so far above or below the previous fragment that it begins a
   * new line. This is needed because PDFs do not mark the end of every line.
   */
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

/**
 * The indexes of the horizontal and the vertical coordinate in the transform matrix of a text
 * fragment.
 */
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
