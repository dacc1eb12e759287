import type { Format, Source } from './format.js';
import { karakeep } from './formats/karakeep.js';
import { linkwarden } from './formats/linkwarden.js';
import { netscape } from './formats/netscape.js';
import { omnivore } from './formats/omnivore.js';
import { pocketApi } from './formats/pocket-api.js';
import {
  pocketAnnotations,
  pocketCollection,
  pocketCsv,
  pocketHtml,
} from './formats/pocket-export.js';
import { satchel } from './formats/satchel.js';
import { genericCsv, instapaper, readwise } from './formats/tables.js';
import { urlList } from './formats/url-list.js';
import { wallabag } from './formats/wallabag.js';
import { csvColumnsIn } from './reading/csv-format.js';
import { pathsIn } from './reading/json-parts.js';
import { beginningOf } from './reading/text.js';

/** Enough for the first object of an export that holds articles. */
const HEAD_LENGTH = 65_536;

/** Those that tell more come first. */
const FORMATS: readonly Format[] = [
  satchel,
  netscape,
  pocketHtml,
  pocketApi,
  pocketAnnotations,
  pocketCollection,
  omnivore,
  wallabag,
  karakeep,
  linkwarden,
  pocketCsv,
  instapaper,
  readwise,
  genericCsv,
  urlList,
];

/** The first that matches how a file begins. */
export async function formatOf(source: Source): Promise<Format | undefined> {
  const head = new Head(await beginningOf(source, HEAD_LENGTH));
  return FORMATS.find((format) => format.matches(head));
}

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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
