import { collectedParts, type JsonCollector, type JsonError, JsonReader } from './json-reader.js';
import { isBlank, Members } from './members.js';

/**
 * A value in a JSON document with its path. In the path, `[]` replaces an index of a list or a numeric key, as in
 * `list.[]`.
 */
export interface JsonPart {
  readonly path: string;
  /** The value. Each object in it is converted to an instance of `Members`. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

type Container = unknown[] | Members;

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /** The list or object itself. Undefined if the caller does not want it, because it is then not stored. */
  readonly container: Container | undefined;
}

/**
 * The maximum depth of a JSON document. Exports have a depth of four. Only documents that are designed as an attack are
 * deeper than the maximum.
 */
const MAX_DEPTH = 64;
/** The maximum depth of a JSON path. The paths that formats read are less deep. A deeper path is shortened with `…`. */
const MAX_PATH_DEPTH = 5;
/**
 * The maximum length of a key in a JSON path. The keys that formats read are shorter. A longer key is shortened,
 * because each path below it would contain a copy.
 */
const MAX_NAME = 100;
/**
 * The maximum size of a value that is read, in characters. Each single value counts as some additional characters for
 * its memory.
 */
const MAX_PART_SIZE = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;
const DIGITS = /^\d+$/;

/** Decides by their paths which values of a JSON document are read. */
export interface JsonSelection {
  isWanted(path: string): boolean;
  /** Called for each value that is not blank and that `isWanted` does not select. */
  onOther?(path: string): void;
}

/** Yields the selected values of a JSON document, followed by the first syntax error, if any. */
export const jsonParts = (
  text: AsyncIterable<string>,
  selection: JsonSelection,
): AsyncGenerator<readonly (JsonPart | JsonError)[]> =>
  collectedParts(text, new JsonPartCollector(selection));

/** Returns the JSON paths of all values in the beginning of a document. The beginning may contain syntax errors. */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const isWanted = (path: string): boolean => {
    paths.add(path);
    return false;
  };
  new JsonReader(new JsonPartCollector({ isWanted })).write(text);
  return paths;
}

/** Collects the selected values of a JSON document, and drops all other values. */
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
   * Adds a value to the list or object around it. A selected value that is not a list or object itself is collected
   * immediately.
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
