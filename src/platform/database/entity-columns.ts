import { type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs.js';

/** A database column, as its TypeORM entity declares it. */
export interface EntityColumn<Property extends string = string> {
  readonly property: Property;
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  /** The default value, in the form in which pg returns it. Undefined if the column has no default. */
  readonly whenAbsent: unknown;
}

type EntityClass<Entity> = abstract new () => Entity;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** A row of an entity's table as pg returns it. The keys are the names of the columns. */
export type RowOf<Entity> = {
  readonly [Property in keyof Entity & string as SnakeCase<Property>]: Entity[Property];
};

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** Returns the columns of an entity in the order of their declaration. */
export const columnsOf = <Entity>(
  entity: EntityClass<Entity>,
): readonly EntityColumn<keyof Entity & string>[] =>
  getMetadataArgsStorage()
    .columns.filter((column) => isColumnOf(entity, column))
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: options.name ?? snakeCase(propertyName),
      type: String(options.type),
      isArray: options.array === true,
      whenAbsent: options.nullable === true ? null : defaultOf(options),
    }));

/** The TypeORM declaration of a column in the entity, or in a class that the entity extends. */
interface Declared<Entity> extends ColumnMetadataArgs {
  readonly propertyName: keyof Entity & string;
}

const isColumnOf = <Entity>(
  entity: EntityClass<Entity>,
  column: ColumnMetadataArgs,
): column is Declared<Entity> =>
  column.target === entity ||
  (typeof column.target === 'function' &&
    Object.prototype.isPrototypeOf.call(column.target, entity));

/**
 * Returns the default value of a column. The default value of a bigint column is decimal text, because pg returns
 * bigint values as text.
 */
const defaultOf = ({ default: value, type }: ColumnOptions): unknown =>
  typeof value === 'number' && type === 'bigint' ? String(value) : value;

/** Returns the columns of the given properties of an entity, in the order of the properties. */
export function columnsFor<Entity, Property extends keyof Entity & string>(
  entity: EntityClass<Entity>,
  properties: readonly Property[],
): readonly EntityColumn<Property>[] {
  const columns = columnsOf(entity);
  return properties.map((property) => {
    const column = columns.find((one) => one.property === property);
    if (column === undefined) {
      throw new Error(`${entity.name} has no column for ${property}`);
    }
    return { ...column, property };
  });
}

/**
 * Returns the default values of an entity's columns, keyed by column name. A column without a default has the value
 * undefined.
 */
export const defaultsOf = <Entity>(
  entity: EntityClass<Entity>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(columnsOf(entity).map(({ name, whenAbsent }) => [name, whenAbsent]));

/** Returns a row with the given values, and with default values in all other columns. */
export function rowWithDefaults<Entity>(
  entity: EntityClass<Entity>,
  given: Partial<RowOf<Entity>>,
): RowOf<Entity> {
  const row = { ...defaultsOf(entity), ...given };
  if (!isRow<Entity>(row)) {
    throw new Error(`a row of ${entity.name} lacks a value that has no default`);
  }
  return row;
}

const isRow = <Entity>(row: object): row is RowOf<Entity> => isComplete(row);

/** Converts a row, which has column names as keys, to an object with the property names of the entity. */
export function propertiesOf<Entity>(
  entity: EntityClass<Entity>,
  row: RowOf<Entity>,
): Readonly<Entity> {
  const values = new Map<string, unknown>(Object.entries(row));
  const properties = Object.fromEntries(
    columnsOf(entity).map(({ name, property }) => [property, values.get(name)]),
  );
  if (!hasProperties<Entity>(properties)) {
    throw new Error(`a row of ${entity.name} lacks a column`);
  }
  return properties;
}

const hasProperties = <Entity>(values: object): values is Readonly<Entity> & object =>
  isComplete(values);

const isComplete = (values: object): boolean =>
  Object.values(values).every((value) => value !== undefined);

/** Returns the names of the columns, separated by commas, for SELECT or INSERT. */
export const namesOf = (columns: readonly EntityColumn[]): string =>
  columns.map(({ name }) => name).join(', ');

/**
 * Returns the columns with property names as aliases, for SELECT or RETURNING. The returned rows then have the
 * properties of the entity.
 */
export const asProperties = (columns: readonly EntityColumn[]): string =>
  columns.map(({ name, property }) => `${name} AS "${property}"`).join(', ');

/**
 * Returns the assignments for an UPDATE, such as `status = row.status`. `alias` is the alias of the row set with the
 * new values.
 */
export const assigned = (columns: readonly EntityColumn[], alias: string): string =>
  columns.map(({ name }) => `${name} = ${alias}.${name}`).join(', ');

/**
 * Returns SQL for a set of rows, with one array parameter per column. `first` is the number of the
 * first parameter. The SQL text is the same for any number of rows. With TypeORM, an INSERT would
 * need a placeholder for each value, and an UPDATE would write only one row.
 *
 * OFFSET 0 keeps the casts to array types inside of the subquery. Otherwise, PostgreSQL moves them into the UPDATE, and
 * Citus rejects an UPDATE that calls a STABLE function with a column.
 */
export const rowSet = (columns: readonly EntityColumn[], first: number): string =>
  `(SELECT ${columns.map(({ name, type, isArray }) => (isArray ? `${name}::${type}[]` : name)).join(', ')}
    FROM unnest(${columns.map(({ type, isArray }, at) => `$${first + at}::${isArray ? 'text' : type}[]`).join(', ')})
      AS given (${namesOf(columns)}) OFFSET 0) AS row`;

/** Returns the parameter values for the SQL that `rowSet` returns. */
export const rowSetValues = <Property extends string>(
  columns: readonly EntityColumn<Property>[],
  rows: readonly Readonly<Record<Property, unknown>>[],
): unknown[] =>
  columns.map(({ property, isArray }) =>
    rows.map(({ [property]: value }) =>
      isArray && Array.isArray(value) ? arrayLiteral(value) : value,
    ),
  );

/** Returns the values as a PostgreSQL array literal. */
const arrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
