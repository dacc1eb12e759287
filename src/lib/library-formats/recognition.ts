import { csvColumnsIn } from './reading/csv-format.js';
import { pathsIn } from './reading/json-parts.js';

/**
 * The syntax of a file. It defines the strings of a `Recognition`: in a table they are columns, in a JSON document they
 * are paths.
 */
export type Syntax = 'table' | 'json' | 'markup' | 'text';

/** A sign by which a format is recognised, such as a doctype, that is neither a column nor a path. */
export interface Mark {
  /** The name of the mark in a text for the user, as in "it has the doctype of bookmarks". */
  readonly name: string;
  isIn(text: string): boolean;
}

/**
 * A sign by which a format is recognised: a column of a table in lower case, a path of a JSON document such as
 * `list.[].item_id`, or a mark.
 */
export type Sign = string | Mark;

/** The signs by which a format is recognised in the beginning of a file. */
export interface Recognition {
  /**
   * The signs that must all be present. An inner list requires only one of its signs. If several formats match, the
   * match with the most signs wins.
   */
  readonly has: readonly (Sign | readonly Sign[])[];
  /** Signs that must not be present, because they identify another format. */
  readonly hasNot?: readonly Sign[];
}

/**
 * Returns a mark that is present if the pattern matches. The pattern must take linear time, because an archive can
 * contain thousands of files that are designed to be slow. For linear time, each part of the pattern must stop at the
 * beginning of another possible match.
 */
export const mark = (name: string, pattern: RegExp): Mark => ({
  name,
  isIn: (text) => pattern.test(text),
});

/** Returns a mark for the root element of an XML document. A declaration and comments can precede the element. */
export const rootMark = (element: string): Mark =>
  mark(
    `the root element \`${element}\``,
    new RegExp(String.raw`^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<${element}[\s>]`),
  );

/**
 * Matches the beginning of markup. A bracket alone is not enough to decide the syntax, because a list may begin with
 * `<https://…>` or `[title](…)`.
 */
const MARKUP = /^\s*<(?!https?:)/i;
const JSON_TEXT = /^\s*(?:\{|\[\s*(?:[[{"\]]|$))/;

/** The beginning of a file, from which its format is recognised. */
export class Head {
  readonly #syntax: Syntax;
  #fields: ReadonlySet<string> | undefined;

  constructor(readonly text: string) {
    this.#syntax = MARKUP.test(text) ? 'markup' : JSON_TEXT.test(text) ? 'json' : 'table';
  }

  /** True for tables and for lists of links, because this class does not distinguish them. */
  get isTable(): boolean {
    return this.#syntax === 'table';
  }

  get isJson(): boolean {
    return this.#syntax === 'json';
  }

  /** Returns the required signs that are present. Returns undefined if the recognition does not match. */
  signsOf(syntax: Syntax, { has, hasNot = [] }: Recognition): readonly Sign[] | undefined {
    if ((syntax !== 'text' && syntax !== this.#syntax) || hasNot.some((sign) => this.#has(sign))) {
      return undefined;
    }
    const signs = has.map((required) => alternativesOf(required).find((sign) => this.#has(sign)));
    const present = signs.filter((sign) => sign !== undefined);
    return present.length === signs.length ? present : undefined;
  }

  #has(sign: Sign): boolean {
    return typeof sign === 'string' ? this.#allFields().has(sign) : sign.isIn(this.text);
  }

  #allFields(): ReadonlySet<string> {
    return (this.#fields ??= this.#readFields());
  }

  #readFields(): ReadonlySet<string> {
    switch (this.#syntax) {
      case 'table':
        return csvColumnsIn(this.text);
      case 'json':
        return pathsIn(this.text);
      default:
        return new Set();
    }
  }
}

const alternativesOf = (required: Sign | readonly Sign[]): readonly Sign[] =>
  typeof required === 'string' || 'isIn' in required ? [required] : required;
