/**
 * The maximum number of values that are read from a list. A higher maximum is not needed, because an item has at most
 * 50 tags and 100 annotations.
 */
export const MOST_VALUES = 1000;
/**
 * The maximum number of JSON paths that are reported as not imported for one row. The limit is necessary, because a
 * row in a file may have any number of keys.
 */
const MOST_PATHS = 1000;
const MAX_NAME = 100;

/** The fields of a JSON object. Remembers which fields were read, because the import report lists the other fields. */
export class Members {
  readonly #values: Map<string, unknown>;
  readonly #read = new Set<string>();
  #isList = false;

  constructor(entries: Iterable<readonly [string, unknown]> = []) {
    this.#values = new Map(entries);
  }

  get(name: string): unknown {
    this.#read.add(name);
    return this.#values.get(name);
  }

  /**
   * Returns the value of a field, converted with `meaningOf`. If `meaningOf` returns undefined, the
   * import report lists the field as not imported.
   */
  meaning<T>(name: string, meaningOf: (value: unknown) => T | undefined): T | undefined {
    const meaning = meaningOf(this.#values.get(name));
    if (meaning !== undefined) {
      this.#read.add(name);
    }
    return meaning;
  }

  /** Returns the value of a field without marking the field as read. */
  peek(name: string): unknown {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /**
   * Returns the values of all fields. Use this method if an export writes a list as an object whose
   * keys are ids.
   */
  values(): readonly unknown[] {
    this.#isList = true;
    return [...this.#values.values()];
  }

  /** Returns all fields, whose names and values are texts. Returns undefined if a value is not a text. */
  texts(): readonly (readonly [name: string, text: string])[] | undefined {
    const texts = [...this.#values].flatMap(([name, value]) => {
      this.#read.add(name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return texts.length === this.#values.size ? texts : undefined;
  }

  isBlank(): boolean {
    return [...this.#values.values()].every(isBlank);
  }

  /**
   * Adds the JSON path of each field that was not read to `paths`, for the import report. Skips blank fields, and fields
   * in `leftOut`, which the import ignores on purpose. `prefix` is the path of this object.
   */
  collectNotImported(prefix: string, leftOut: ReadonlySet<string>, paths: Set<string>): void {
    for (const [name, value] of this.#values) {
      const path = joined(prefix, this.#isList ? '[]' : name.slice(0, MAX_NAME));
      if (paths.size >= MOST_PATHS) {
        return;
      }
      if (isBlank(value) || leftOut.has(path)) {
        continue;
      }
      if (this.#isList || this.#read.has(name)) {
        collectBelow(value, path, { leftOut, paths });
      } else {
        paths.add(path);
      }
    }
  }
}

interface Collected {
  readonly leftOut: ReadonlySet<string>;
  readonly paths: Set<string>;
}

function collectBelow(value: unknown, path: string, { leftOut, paths }: Collected): void {
  const [values, prefix] = Array.isArray(value) ? [value, joined(path, '[]')] : [[value], path];
  for (const one of values.slice(0, MOST_VALUES)) {
    if (one instanceof Members) {
      one.collectNotImported(prefix, leftOut, paths);
    }
  }
}

const joined = (prefix: string, name: string): string =>
  prefix === '' ? name : `${prefix}.${name}`;

/**
 * Returns true for null, undefined, a blank text, and a list or object that contains only blank values. Returns false
 * for the values `false` and 0.
 */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.trim() === '';
  }
  if (value instanceof Members) {
    return value.isBlank();
  }
  return value === null || value === undefined || (Array.isArray(value) && value.every(isBlank));
}

/** Returns a value of `JSON.parse` in which each object is converted to `Members`. */
export function withMembers(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withMembers);
  }
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Members);
  return isObject
    ? new Members(Object.entries(value).map(([name, one]) => [name, withMembers(one)]))
    : value;
}
