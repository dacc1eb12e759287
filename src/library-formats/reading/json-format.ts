import type { Format, ImportRow, ItemToImport, Source } from '../format.js';
import { newestFirst, type NoItem, refused, rowFrom } from './item-from.js';
import { JsonError, type JsonPart, jsonParts } from './json-parts.js';
import { firstText, type Members, membersOf } from './read-value.js';
import { decodedText } from './text.js';

type Result = ItemToImport | NoItem;

interface JsonFormat<Context> extends Pick<Format, 'name' | 'matches'> {
  /** The newest items come first. */
  readonly isNewestFirst?: true;
  /** The paths at which saved pages stand, as in `list.[]`. */
  readonly rowPaths: readonly string[];
  /** What must be known of the whole document before its first row is read. */
  contextOf(source: Source): Promise<Context>;
  itemOf(members: Members, context: Context): Result | Promise<Result>;
  /** Paths of which the rows that follow must know: `addContext` gets what stands there. */
  readonly contextPaths?: readonly string[];
  addContext?(context: Context, part: JsonPart): void;
}

const TOO_LARGE = 'The entry is larger than any saved page can be.';

/** A format whose rows are objects of a document of JSON. */
export const jsonFormat = <Context>(format: JsonFormat<Context>): Format => ({
  name: format.name,
  matches: (head) => format.matches(head),
  rows: (source) => rowsOf(source, format),
});

/** For formats whose rows need nothing from the rest of the file. */
export const noContext = (): Promise<undefined> => Promise.resolve(undefined);

async function* rowsOf<Context>(
  source: Source,
  format: JsonFormat<Context>,
): AsyncGenerator<ImportRow> {
  const context = await format.contextOf(source);
  let number = 0;
  for await (const parts of partsOf(source, [...format.rowPaths, ...(format.contextPaths ?? [])])) {
    for (const part of parts) {
      if (part instanceof JsonError || format.rowPaths.includes(part.path)) {
        number += 1;
        yield await rowOf({ part, context, format, place: { path: source.path, line: number } });
      } else {
        format.addContext?.(context, part);
      }
    }
  }
}

/** What stands at a path of a document, as far as that can be read. */
export async function* valuesAt(source: Source, path: string): AsyncGenerator {
  for await (const parts of partsOf(source, [path])) {
    yield* parts.flatMap((part) => (part instanceof JsonError ? [] : [part.value]));
  }
}

/** What stands at some paths of a document, up to its first error. */
function partsOf(
  source: Source,
  paths: readonly string[],
): AsyncGenerator<readonly (JsonPart | JsonError)[]> {
  const wanted = new Set(paths);
  return jsonParts(decodedText(source.bytes()), (path) => wanted.has(path));
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
  const text = firstText(members, 'url', 'given_url', 'title', 'name', 'item_id');
  if (part.isTooLarge) {
    return refused(place, TOO_LARGE, text);
  }
  const row = rowFrom(place, await format.itemOf(members, context), text);
  return format.isNewestFirst === true ? newestFirst(row) : row;
}
