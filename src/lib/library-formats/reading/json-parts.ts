import { collectedParts, type JsonCollector, type JsonError, JsonReader } from './json-reader.js';
import { isBlank, Members } from './members.js';

/**
 * A value in a JSON document with its path. In the path, `[]` replaces each list index and each numeric key, as in
 * `list.[]`.
 */
export interface JsonPart {
  readonly path: string;
  /** The value. If the value is or contains objects, each object is an instance of `Members`. */
  readonly value: unknown;
  readonly isTooLarge: boolean;
}

type Container = unknown[] | Members;

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /**
   * The list or object with its stored values. Undefined if the list or object was not selected, because its values are
   * then not stored.
   */
  readonly container: Container | undefined;
}

/**
 * The maximum depth of a JSON document. Real exports have a depth of four. A document that exceeds the maximum is an
 * attack.
 */
const MAX_DEPTH = 64;
/**
 * The maximum depth of a JSON path. All deeper values have the path `…`, because no format needs
 * them.
 */
const MAX_PATH_DEPTH = 5;
/**
 * The maximum length of a key in a JSON path. Longer keys are cut, because the path of each value
 * below a key contains the key. No format needs longer keys.
 */
const MAX_NAME = 100;
/**
 * The default for the maximum size of a selected value in characters. Each value inside it adds `VALUE_SIZE` or
 * `CONTAINER_SIZE` for its use of memory.
 */
const MAX_PART_SIZE = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;
const DIGITS = /^\d+$/;

/** Decides by their paths which values of a JSON document are read. */
export interface JsonSelection {
  isWanted(path: string): boolean;
  /** Called with the path of each text, number or boolean that is not blank, and that is not selected by `isWanted`. */
  onOther?(path: string): void;
}

/**
 * Yields the selected values of a JSON document. If the document has a syntax error, yields the error after the last
 * value.
 */
export const jsonParts = (
  text: AsyncIterable<string>,
  selection: JsonSelection,
  maxPartSize = MAX_PART_SIZE,
): AsyncGenerator<readonly (JsonPart | JsonError)[]> =>
  collectedParts(text, new JsonPartCollector(selection, maxPartSize));

/**
 * Returns the JSON paths of all values in the beginning of a document. Stops without an error at the first syntax
 * error.
 */
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

  constructor(
    private readonly selection: JsonSelection,
    private readonly maxPartSize = MAX_PART_SIZE,
  ) {}

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
      const isTooLarge = this.#size > this.maxPartSize;
      this.#parts.push({ path, value: container, isTooLarge });
    }
  }

  /**
   * Adds a value to the list or object that contains it. If this list or object was not selected,
   * adds the value to the results if the value itself is selected.
   */
  #place(value: unknown, isContainer = false): void {
    this.#size += isContainer ? CONTAINER_SIZE : VALUE_SIZE;
    const container = this.#levels.at(-1)?.container;
    if (container === undefined) {
      this.#placeAlone(value, isContainer);
    } else if (this.#size <= this.maxPartSize) {
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
