import { collectedParts, type JsonCollector, type JsonError, JsonReader } from './json-reader.js';
import { isBlank, Members } from './members.js';

/** A part of a JSON document. Its path contains `[]` instead of a list index or a numeric key, as in `list.[]`. */
export interface JsonPart {
  readonly path: string;
  /** The value of the part. Objects are instances of `Members`. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

type Container = unknown[] | Members;

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /**
   * The list or object itself. Undefined for a list or object outside of the wanted parts, because it is not stored.
   */
  readonly container: Container | undefined;
}

/**
 * The maximum depth of a JSON document. Exports nest four levels. A document that nests deeper than the limit is an
 * attack.
 */
const MAX_DEPTH = 64;
/** The maximum depth of a JSON path. Wanted paths are short. A deeper path is shortened with `…`. */
const MAX_PATH_DEPTH = 5;
/** The maximum length of a key. Keys in wanted paths are short. A long key would be copied for each value below it. */
const MAX_NAME = 100;
/** The maximum size of a part in characters. Each value adds a fixed size for the memory that the value needs. */
const MAX_PART_SIZE = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;
const DIGITS = /^\d+$/;

/** Selects the parts of a JSON document by their paths. */
export interface JsonSelection {
  isWanted(path: string): boolean;
  /** Called for each value that is not blank and is outside of the wanted parts. */
  onOther?(path: string): void;
}

/** Yields the wanted parts of a JSON document. If the document has errors, the first error follows. */
export const jsonParts = (
  text: AsyncIterable<string>,
  selection: JsonSelection,
): AsyncGenerator<readonly (JsonPart | JsonError)[]> =>
  collectedParts(text, new JsonPartCollector(selection));

/** Returns the JSON paths in the beginning of a document. The document may contain errors. */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const isWanted = (path: string): boolean => {
    paths.add(path);
    return false;
  };
  new JsonReader(new JsonPartCollector({ isWanted })).write(text);
  return paths;
}

/** Collects the wanted parts of a JSON document and drops the rest. */
class JsonPartCollector implements JsonCollector<JsonPart> {
  readonly maxDepth = MAX_DEPTH;
  readonly #levels: Level[] = [];
  #parts: JsonPart[] = [];
  #key = '';
  #size = 0;

  constructor(private readonly selection: JsonSelection) {}

  takeParts(): readonly JsonPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  onKey(name: string): void {
    this.#key = name;
    this.#size += name.length;
  }

  onValue(value: string | number | boolean | null): void {
    this.#size += typeof value === 'string' ? value.length : 0;
    this.#place(value);
  }

  onOpen(isArray: boolean): void {
    const path = this.#pathHere();
    const isKept = this.#levels.at(-1)?.container !== undefined || this.selection.isWanted(path);
    const container = isKept ? (isArray ? [] : new Members()) : undefined;
    if (this.#levels.at(-1)?.container === undefined) {
      this.#size = 0;
    }
    this.#place(container, isKept);
    this.#levels.push({ path, isArray, container });
  }

  onClose(): void {
    const { path, container } = this.#levels.pop() ?? {};
    const isInKept = this.#levels.at(-1)?.container !== undefined;
    if (path !== undefined && container !== undefined && !isInKept) {
      const isTooLarge = this.#size > MAX_PART_SIZE;
      this.#parts.push({ path, value: container, isTooLarge });
    }
  }

  /**
   * Adds a value to the list or object that contains it. A wanted value that is neither a list nor an object is a part
   * by itself.
   */
  #place(value: unknown, isContainer = false): void {
    this.#size += isContainer ? CONTAINER_SIZE : VALUE_SIZE;
    const container = this.#levels.at(-1)?.container;
    if (container === undefined) {
      this.#placeAlone(value, isContainer);
    } else if (this.#size <= MAX_PART_SIZE) {
      if (Array.isArray(container)) {
        container.push(value);
      } else {
        container.set(this.#key, value);
      }
    }
  }

  #placeAlone(value: unknown, isContainer: boolean): void {
    if (isContainer || value === undefined) {
      return;
    }
    const path = this.#pathHere();
    if (this.selection.isWanted(path)) {
      this.#parts.push({ path, value, isTooLarge: false });
    } else if (!isBlank(value)) {
      this.selection.onOther?.(path);
    }
  }

  #pathHere(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) {
      return '';
    }
    const key = this.#key.slice(0, MAX_NAME);
    const name = level.isArray || DIGITS.test(key) ? '[]' : key;
    const isSpelt = this.#levels.length <= MAX_PATH_DEPTH;
    return isSpelt ? `${level.path}${level.path === '' ? '' : '.'}${name}` : '…';
  }
}
