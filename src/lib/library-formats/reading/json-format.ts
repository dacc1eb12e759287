import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { type LeftOut, namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { newestFirst, type NoItem, refused, rowFrom, TOO_LARGE } from './item-from.js';
import { type JsonPart, jsonParts, type JsonSelection } from './json-parts.js';
import { JsonError } from './json-reader.js';
import { Members } from './members.js';
import { membersOf, textOf } from './read-value.js';
import { decodedText } from './text.js';

type Result = ItemToImport | NoItem;

interface JsonFormat<Context> extends Pick<Format, 'name' | 'recognitions'> {
  /** True if the newest items are at the beginning of the file. */
  readonly isNewestFirst?: true;
  /** True if the rows only add data, such as highlights, to the items of other rows or files. */
  readonly addsToOthers?: true;
  /** The JSON paths at which a document contains saved pages, such as `list.[]`. */
  readonly rowPaths: readonly string[];
  /**
   * The JSON paths of fields that the import ignores on purpose. A path of a field within a row is relative to the row.
   * All other paths begin at the root of the document.
   */
  readonly leftOut?: LeftOut;
  /** Reads data that `itemOf` needs from other parts of the document, such as the names of folders. */
  contextOf(document: JsonDocument): Promise<Context>;
  itemOf(members: Members, context: Context): Result | Promise<Result>;
  /**
   * The JSON paths of values that apply to all rows after them, such as the id of a collection. The import calls
   * `addContext` for each of these values.
   */
  readonly contextPaths?: readonly string[];
  addContext?(context: Context, part: JsonPart): void;
}

/** Fields that the import report shows for a refused row, so that the user can identify it. */
const LABELS = ['url', 'given_url', 'title', 'name', 'item_id'];

/** Returns an import format for the JSON documents of one service. The values at `rowPaths` become rows. */
export const jsonFormat = <Context>(format: JsonFormat<Context>): Format => ({
  name: format.name,
  syntax: 'json',
  recognitions: format.recognitions,
  rows: (source, notImported) =>
    rowsOf(new JsonDocument(source, format.leftOut, notImported), format),
});

/** A `contextOf` function for formats whose rows need no data from other parts of the document. */
export const noContext = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * A JSON file that is being imported. Counts the values that are not imported, because the import report lists them.
 */
export class JsonDocument {
  readonly #leftOut: ReadonlySet<string>;
  readonly #read = new Set<string>();

  constructor(
    readonly source: Source,
    leftOut: LeftOut | undefined,
    private readonly notImported: NotImportedFields | undefined,
  ) {
    this.#leftOut = namesLeftOut(leftOut);
  }

  /** Yields the values at a JSON path. Stops at the first syntax error in the file. */
  async *valuesAt(path: string): AsyncGenerator {
    for await (const { value } of this.partsOf(path)) {
      yield value;
      this.countNotImported(value, path);
    }
  }

  /**
   * Yields the values at the given JSON paths in document order. Stops at the first syntax error in
   * the file. The import report lists no fields within these values.
   */
  async *partsOf(...paths: readonly string[]): AsyncGenerator<JsonPart> {
    paths.forEach((path) => this.#read.add(path));
    const isWanted = (one: string): boolean => paths.includes(one);
    for await (const part of this.#parts({ isWanted })) {
      if (!(part instanceof JsonError)) {
        yield part;
      }
    }
  }

  /**
   * Yields the values at the given JSON paths. If the file has a syntax error, yields the error after the last value.
   * Counts values at other paths as not imported.
   */
  partsAt(paths: readonly string[]): AsyncGenerator<JsonPart | JsonError> {
    const wanted = new Set(paths);
    return this.#parts({
      isWanted: (path) => wanted.has(path),
      onOther: (path) => {
        if (!isCovered(path, this.#read) && !isCovered(path, this.#leftOut)) {
          this.notImported?.count(this.source.path, 'key', path);
        }
      },
    });
  }

  /**
   * Counts the fields of a value that were not read. The import report lists these fields. `prefix` is the JSON path of
   * the value.
   */
  countNotImported(value: unknown, prefix = ''): void {
    if (this.notImported !== undefined && value instanceof Members) {
      const paths = new Set<string>();
      value.collectNotImported(prefix, this.#leftOut, paths);
      for (const path of paths) {
        this.notImported.count(this.source.path, 'key', path);
      }
    }
  }

  async *#parts(selection: JsonSelection): AsyncGenerator<JsonPart | JsonError> {
    for await (const parts of jsonParts(decodedText(this.source.bytes()), selection)) {
      yield* parts;
    }
  }
}

/**
 * Returns true if `paths` contains `path`, or the path of an object or list around it: `list` for
 * `list.[].id`.
 */
function isCovered(path: string, paths: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    if (paths.has(path.slice(0, end))) {
      return true;
    }
  }
  return false;
}

async function* rowsOf<Context>(
  document: JsonDocument,
  format: JsonFormat<Context>,
): AsyncGenerator<ImportRow> {
  const { rowPaths, contextPaths = [] } = format;
  const context = await format.contextOf(document);
  let number = 0;
  for await (const part of document.partsAt([...rowPaths, ...contextPaths])) {
    if (part instanceof JsonError || rowPaths.includes(part.path)) {
      number += 1;
      const place = { path: document.source.path, line: number };
      const row = await rowOf({ part, context, format, place });
      if ('item' in row && !(part instanceof JsonError)) {
        document.countNotImported(part.value);
      }
      yield row;
    } else {
      format.addContext?.(context, part);
    }
  }
}

interface RowParts<Context> {
  readonly part: JsonPart | JsonError;
  readonly context: Context;
  readonly format: JsonFormat<Context>;
  readonly place: ImportRow['place'];
}

async function rowOf<Context>({
  part,
  context,
  format,
  place,
}: RowParts<Context>): Promise<ImportRow> {
  if (part instanceof JsonError) {
    return refused(place, part.reason);
  }
  const members = membersOf(part.value);
  const labels = LABELS.map((name) => textOf(members.peek(name)));
  const text = labels.find((label) => label.trim() !== '') ?? '';
  if (part.isTooLarge) {
    return refused(place, TOO_LARGE, text);
  }
  const row = rowFrom(place, await format.itemOf(members, context), text);
  const ordered = format.isNewestFirst === true ? newestFirst(row) : row;
  return format.addsToOthers === true && 'item' in ordered
    ? { ...ordered, addsToOthers: true }
    : ordered;
}
