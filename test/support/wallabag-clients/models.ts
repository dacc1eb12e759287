/**
 * Parses a value of an answer as an app does. Drops members that are not listed.
 * @throws UnreadableError if the app would fail
 */
export type Reads<T> = (value: unknown) => T;

type Model = Readonly<Record<string, Reads<unknown>>>;
type ReadBy<M extends Model> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** A value that an app cannot read, and its place. */
export class UnreadableError extends Error {}

function fail(expected: string, value: unknown): never {
  throw new UnreadableError(
    `${expected} expected, not ${value === undefined ? 'nothing' : JSON.stringify(value)}`,
  );
}

const reads =
  <T>(expected: string, is: (value: unknown) => value is T): Reads<T> =>
  (value) =>
    is(value) ? value : fail(expected, value);

export const text = reads('text', (value): value is string => typeof value === 'string');
export const boolean = reads('boolean', (value): value is boolean => typeof value === 'boolean');

const integer = (bits: number): Reads<number> =>
  reads(
    `integer of ${bits} bits`,
    (value): value is number =>
      Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** (bits - 1) - 1,
  );

/** Java's `int`, also used by wallabag's own database. */
export const int32 = integer(32);
/** Integers in Swift and Dart, limited to JavaScript's range. */
export const int = integer(54);
export const number = reads('number', (value): value is number => typeof value === 'number');

export const matching = (pattern: RegExp, expected: string): Reads<string> =>
  reads(expected, (value): value is string => typeof value === 'string' && pattern.test(value));

/** Accepts null, but not a missing member. */
export const orNull =
  <T>(read: Reads<T>): Reads<T | null> =>
  (value) =>
    value === null ? null : read(value);

/** Accepts null and missing members. */
export const optional =
  <T>(read: Reads<T>): Reads<T | null> =>
  (value) =>
    value === null || value === undefined ? null : read(value);

export const listOf =
  <T>(read: Reads<T>): Reads<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.map(read) : fail('array', value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object =
  <M extends Model>(members: M): Reads<ReadBy<M>> =>
  (value) => {
    if (!isObject(value)) {
      return fail('object', value);
    }
    const entries = Object.entries(members).map(([name, read]) => [
      name,
      within(name, () => read(value[name])),
    ]);
    return Object.fromEntries(entries) as ReadBy<M>;
  };

/** Reads an object whose values have the same type. */
export const mapOf =
  <T>(read: Reads<T>): Reads<Readonly<Record<string, T>>> =>
  (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, within(name, () => read(one))]),
        )
      : fail('object', value);

function within<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableError(`${name}: ${(error as Error).message}`);
  }
}

/** Parses and reads an answer. */
export function read<T>(bytes: Buffer, reader: Reads<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return fail('JSON', bytes.toString().slice(0, 100));
  }
  return reader(value);
}

/** A page of a list with entries of an app. */
export const pageOf = <T>(entry: Reads<T>, count: Reads<number> = int) =>
  object({
    ...{ page: count, limit: count, pages: count, total: count },
    _embedded: object({ items: listOf(entry) }),
  });

/**
 * Go's layout `2006-01-02T15:04:05-0700`, and `%Y-%m-%dT%H:%M:%S%z` in Plato's library. Neither allows Z or a colon.
 */
export const plainDate = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/,
  'date with seconds and an offset without a colon',
);

/** ISO 8601 as Java and Dart parse it. */
export const laxDate = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/,
  'date',
);

export const tag = object({ id: int32, label: text, slug: text });
