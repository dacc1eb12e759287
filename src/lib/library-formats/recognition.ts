import { csvColumnsIn } from './reading/csv-format.js';
import { pathsIn } from './reading/json-parts.js';

/** The syntax of a file. It decides what the strings of a `Recognition` name: columns of a table, or paths of JSON. */
export type Syntax = 'table' | 'json' | 'markup' | 'text';

/** A sign of a format that is not a column or a path, such as a doctype. */
export interface Mark {
  /** How the report names it, as in "it has the doctype of bookmarks". */
  readonly name: string;
  isIn(text: string): boolean;
}

/** A column of a table in lower case, a path of a JSON document such as `list.[].item_id`, or a mark. */
export type Sign = string | Mark;

/** Signs by which a format is recognised at the beginning of a file. */
export interface Recognition {
  /** All signs must be present. Of an inner list, one sign must be present. The match with the most signs wins. */
  readonly has: readonly (Sign | readonly Sign[])[];
  /** None of these signs may be present, because they show another format. */
  readonly hasNot?: readonly Sign[];
}

/**
 * Returns a mark that is present where the pattern matches. The pattern must take linear time, because an archive can
 * contain thousands of files that are made to be slow: no part may match across the beginning of another match.
 */
export const mark = (name: string, pattern: RegExp): Mark => ({
  name,
  isIn: (text) => pattern.test(text),
});

/** Returns a mark for the root element of an XML document, which a declaration and comments can precede. */
export const rootMark = (element: string): Mark =>
  mark(
    `the root element \`${element}\``,
    new RegExp(String.raw`^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<${element}[\s>]`),
  );

/** A bracket does not show the syntax by itself: a list may begin with `<https://…>` or `[title](…)`. */
const MARKUP = /^\s*<(?!https?:)/i;
const JSON_TEXT = /^\s*(?:\{|\[\s*(?:[[{"\]]|$))/;

/** The beginning of a file, by which its format is recognised. */
export class Head {
  readonly #syntax: Syntax;
  #fields: ReadonlySet<string> | undefined;

  constructor(readonly text: string) {
    this.#syntax = MARKUP.test(text) ? 'markup' : JSON_TEXT.test(text) ? 'json' : 'table';
  }

  /** True for tables and lists, which this class does not distinguish. */
  get isTable(): boolean {
    return this.#syntax === 'table';
  }

  get isJson(): boolean {
    return this.#syntax === 'json';
  }

  /** Returns the required signs that are present. Undefined if the recognition does not match. */
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
