import { csvColumnsIn } from './reading/csv-format.js';
import { pathsIn } from './reading/json-parts.js';

/**
 * The syntax of an imported file. In a `Recognition`, a string is a column name for the syntax
 * `table`, and a JSON path for the syntax `json`.
 */
export type Syntax = 'table' | 'json' | 'markup' | 'text';

/**
 * A feature by which the format of a file is recognised, such as a doctype. Columns and JSON paths
 * are features too, but strings (see `Sign`).
 */
export interface Mark {
  /** The name of the feature in a message to the user, as in "it has the doctype of bookmarks". */
  readonly name: string;
  isIn(text: string): boolean;
}

/**
 * A feature of a file by which its format is recognised: the name of a column in lower case, a JSON path such as
 * `list.[].item_id`, or a `Mark`.
 */
export type Sign = string | Mark;

/** The features at the beginning of a file that identify the format of the file. */
export interface Recognition {
  /**
   * The features that a file must have. In an inner list, one feature is enough. If a file matches
   * several formats, the format with the most matching features is used.
   */
  readonly has: readonly (Sign | readonly Sign[])[];
  /** The features that a file must not have, because they identify another format. */
  readonly hasNot?: readonly Sign[];
}

/**
 * Returns a feature that a file has if the pattern matches the beginning of the file. The pattern
 * must take linear time, because an attacker can send an archive with thousands of files. For
 * linear time, a repetition such as `[^>]*` must stop where another match could begin.
 */
export const mark = (name: string, pattern: RegExp): Mark => ({
  name,
  isIn: (text) => pattern.test(text),
});

/**
 * Returns a feature that an XML document has if its root element has the given name. An XML declaration and comments
 * may precede the root element.
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

  /**
   * True if the file is a table or a list of links. This class does not distinguish the two
   * syntaxes.
   */
  get isTable(): boolean {
    return this.#syntax === 'table';
  }

  get isJson(): boolean {
    return this.#syntax === 'json';
  }

  /**
   * Returns the matching feature for each entry of `has`. Returns undefined if the file has another
   * syntax, lacks a required feature, or has a feature of `hasNot`.
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
