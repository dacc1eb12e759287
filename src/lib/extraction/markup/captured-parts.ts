import { type Formula, formulaOf } from '../formulas/formula.js';
import { opensFormula } from '../formulas/formula-tags.js';
import { drawingOf, opensDrawing } from '../media/drawing.js';
import type { RawAttributes } from './head-reader.js';
import { RESUMING, VOID } from './kept-html.js';
import type { TagStack } from './tag-stack.js';

/** The maximum number of formulas that are converted in a page. Real pages have at most a few hundred. */
const MAX_FORMULAS = 5_000;
/** The maximum number of characters of all inline drawings that are kept of a page. */
const MAX_DRAWN = 300_000;

/** A part of a page that is converted as a whole. */
interface Part {
  readonly kind: 'formula' | 'drawing';
  readonly tag: string;
  readonly start: number;
  readonly attributes: RawAttributes;
}

/** The markup that replaces a part: tags around a text, or an empty text and only an opening tag. */
export interface Converted {
  readonly open: string;
  readonly text: string;
  readonly close: string;
}

const NOTHING: Converted = { open: '', text: '', close: '' };

/** Converts formulas and inline drawings, whose elements the scanner does not keep. */
export class CapturedParts {
  /** The MathML of the formulas so far. An element with the attribute `data-formula` has the number of one of them. */
  readonly formulas: string[] = [];
  #part: Part | undefined;
  #depth = 0;
  #drawn = 0;

  get isOpen(): boolean {
    return this.#part !== undefined;
  }

  /** Begins a part if the tag opens one. `start` is the offset of the tag in the source. */
  begin(tag: string, attributes: RawAttributes, start: number, stack: TagStack): boolean {
    const kind = opensFormula(tag, attributes)
      ? 'formula'
      : opensDrawing(tag, attributes) && !stack.isInControl()
        ? 'drawing'
        : undefined;
    this.#part = kind && { kind, tag, start, attributes };
    this.#depth = 1;
    return kind !== undefined;
  }

  /** Registers an opening tag. Returns false if the tag cannot occur inside the part, which the page has not closed. */
  open(tag: string, isSelfClosing: boolean): boolean {
    this.#depth += tag === this.#part?.tag && !isSelfClosing && !VOID.has(tag) ? 1 : 0;
    return !RESUMING.has(tag);
  }

  /** Registers a closing tag. Returns true if the part ends with it. */
  close(tag: string): boolean {
    this.#depth -= tag === this.#part?.tag ? 1 : 0;
    return this.#depth === 0;
  }

  /** Ends the part and returns its replacement. `isComplete` is false if the page has not closed the part. */
  end(source: string, end: number, isComplete: boolean): Converted {
    const part = this.#part;
    this.#part = undefined;
    if (part?.kind === 'formula' && this.formulas.length < MAX_FORMULAS) {
      return this.#formula(formulaOf(source.slice(part.start, end)));
    }
    return part?.kind === 'drawing' && isComplete
      ? this.#drawing(source.slice(part.start, end), part.attributes)
      : NOTHING;
  }

  #formula({ text, mathMl }: Formula): Converted {
    if (mathMl === '') {
      return { ...NOTHING, text };
    }
    this.formulas.push(mathMl);
    return { open: `<span data-formula="${this.formulas.length - 1}">`, text, close: '</span>' };
  }

  #drawing(markup: string, attributes: RawAttributes): Converted {
    const image = this.#drawn < MAX_DRAWN ? drawingOf(`${markup}>`, attributes) : '';
    this.#drawn += image.length;
    return { ...NOTHING, open: image };
  }
}
