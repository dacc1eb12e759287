import type { ImportRow } from '../../import-row.js';
import type { ItemToImport } from '../../item-to-import.js';
import type { Format } from '../format.js';
import type { Source } from '../source.js';
import { decodedText } from '../text/decode-text.js';
import { newestFirst, type NoItem, refused, rowFrom } from '../values/item-from.js';
import { firstText, type Members, membersOf } from '../values/read-value.js';
import { JsonFault, jsonParts } from './json-parts.js';
import type { JsonPart } from './json-walker.js';

type Result = ItemToImport | NoItem;

interface JsonFormat<Facts> extends Pick<Format, 'name' | 'matches'> {
  /** The newest items come first. */
  readonly isNewestFirst?: true;
  /** The paths at which saved pages stand, as in `list.[]`. */
  readonly rowPaths: readonly string[];
  /** What must be known of the whole document before its first row is read. */
  factsOf(source: Source): Promise<Facts>;
  itemOf(members: Members, context: Facts): Result | Promise<Result>;
  /** Paths of which the rows that follow must know: `hear` is told what stands there. */
  readonly heardPaths?: readonly string[];
  hear?(context: Facts, part: JsonPart): void;
}

const TOO_LARGE = 'The entry is larger than any saved page can be.';

/** A format whose rows are objects of a document of JSON. */
export const jsonFormat = <Facts>(format: JsonFormat<Facts>): Format => ({
  name: format.name,
  matches: (head) => format.matches(head),
  rows: (source) => rowsOf(source, format),
});

/** For formats whose rows stand for themselves. */
export const noFacts = (): Promise<undefined> => Promise.resolve(undefined);

async function* rowsOf<Facts>(
  source: Source,
  format: JsonFormat<Facts>,
): AsyncGenerator<ImportRow> {
  const facts = await format.factsOf(source);
  let number = 0;
  for await (const parts of partsOf(source, [...format.rowPaths, ...(format.heardPaths ?? [])])) {
    for (const part of parts) {
      if (part instanceof JsonFault || format.rowPaths.includes(part.path)) {
        number += 1;
        yield await rowOf({ part, facts, format, place: { path: source.path, line: number } });
      } else {
        format.hear?.(facts, part);
      }
    }
  }
}

/** What stands at some paths of a document, up to its first fault. */
export function partsOf(
  source: Source,
  paths: readonly string[],
): AsyncGenerator<readonly (JsonPart | JsonFault)[]> {
  const wanted = new Set(paths);
  return jsonParts(decodedText(source.bytes()), (path) => wanted.has(path));
}

interface RowParts<Facts> {
  readonly part: JsonPart | JsonFault;
  readonly facts: Facts;
  readonly format: JsonFormat<Facts>;
  readonly place: ImportRow['place'];
}

async function rowOf<Facts>({ part, facts, format, place }: RowParts<Facts>): Promise<ImportRow> {
  if (part instanceof JsonFault) {
    return refused(place, part.reason);
  }
  const members = membersOf(part.value);
  const text = firstText(members, 'url', 'given_url', 'title', 'name', 'item_id');
  if (part.isTooLarge) {
    return refused(place, TOO_LARGE, text);
  }
  const row = rowFrom(place, await format.itemOf(members, facts), text);
  return format.isNewestFirst === true ? newestFirst(row) : row;
}
