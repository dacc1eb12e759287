import { csvColumnsIn } from './reading/csv-format.js';
import { pathsIn } from './reading/json-parts.js';

/**
 * The syntax of a file. It decides what the texts of a `Recognition` mean: names of columns in a table, or paths in a
 * JSON document.
 */
export type Syntax = 'table' | 'json' | 'markup' | 'text';

/** A sign of a format that is not a column and not a JSON path, such as a doctype. */
export interface Mark {
  /** The name of the sign for the user, as in "it has the doctype of bookmarks". */
  readonly name: string;
  isIn(text: string): boolean;
}

/**
 * A sign by which a format is recognised. It is the name of a column in lower case, a JSON path such as
 * `list.[].item_id`, or another mark in the text.
 */
export type Sign = string | Mark;

/** The signs in the beginning of a file that identify a format. */
export interface Recognition {
  /**
   * The signs that must all be present. Of an inner list, only one sign must be present. If a file matches several
   * formats, the one with the most matching signs is used.
   */
  readonly has: readonly (Sign | readonly Sign[])[];
  /** The signs that must be missing, because they identify another format. */
  readonly hasNot?: readonly Sign[];
}

/**
 * Returns a sign that is present if the pattern matches the beginning of the file. The pattern must take linear time,
 * because an archive can contain thousands of files that are designed to be slow. For linear time, each part of the
 * pattern must stop where another match could begin.
 */
export const mark = (name: string, pattern: RegExp): Mark => ({
  name,
  isIn: (text) => pattern.test(text),
});

/**
 * Returns a sign that is present if an XML document has this root element. A declaration and comments may precede the
 * element.
 */
export const rootMark = (element: string): Mark =>
  mark(
    `the root element \`${element}\``,
    new RegExp(String.raw`^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<${element}[\s>]`),
  );

/** Matches the beginning of HTML or XML. A `<` is not enough, because a list of links may begin with `<https://…>`. */
const MARKUP = /^\s*<(?!https?:)/i;
const JSON_TEXT = /^\s*(?:\{|\[\s*(?:[[{"\]]|$))/;

/** The beginning of a file to import, from which the format of the file is recognised. */
export class Head {
  readonly #syntax: Syntax;
  #fields: ReadonlySet<string> | undefined;

  constructor(readonly text: string) {
    this.#syntax = MARKUP.test(text) ? 'markup' : JSON_TEXT.test(text) ? 'json' : 'table';
  }

  /** True if the file is a table or a list of links. This class does not distinguish them. */
  get isTable(): boolean {
    return this.#syntax === 'table';
  }

  get isJson(): boolean {
    return this.#syntax === 'json';
  }

  /**
   * Returns those required signs that the file has. Returns undefined if a required sign is missing, or if a forbidden
   * sign is present.
   */
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
