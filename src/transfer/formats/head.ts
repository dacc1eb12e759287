import { csvColumnsIn } from './csv/csv-header.js';
import { pathsIn } from './json/json-parts.js';
import type { Source } from './source.js';
import { beginningOf } from './text/beginning-of.js';

/** Enough for the first object of an export that holds articles. */
const HEAD_LENGTH = 65_536;

/** The beginning of a file, by which its format is recognised. */
export class Head {
  readonly #columns: () => ReadonlySet<string>;
  readonly #paths: () => ReadonlySet<string>;

  constructor(readonly text: string) {
    this.#columns = once(() => csvColumnsIn(text));
    this.#paths = once(() => (/^\s*[[{]/.test(text) ? pathsIn(text) : new Set()));
  }

  /** Articles within other formats hold markup too; they do not begin with it. */
  isMarkup(): boolean {
    return /^\s*</.test(this.text);
  }

  /** Whether these are among the columns of a table, whatever their order. */
  hasColumns(...names: readonly string[]): boolean {
    return names.every((name) => this.#columns().has(name));
  }

  /** Whether these paths occur in a document of JSON. */
  hasPaths(...paths: readonly string[]): boolean {
    return paths.every((path) => this.#paths().has(path));
  }
}

export const headOf = async (source: Source): Promise<Head> =>
  new Head(await beginningOf(source, HEAD_LENGTH));

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
