import { type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** A column as its entity declares it. */
export interface EntityColumn<Property extends string = string> {
  readonly property: Property;
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  /** What the table has where no value is given, as pg gives it; undefined where there must be one. */
  readonly whenAbsent: unknown;
}

type EntityClass<Entity> = abstract new () => Entity;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** A row of the table of an entity, by the names of its columns, as pg gives it. */
export type RowOf<Entity> = {
  readonly [Property in keyof Entity & string as SnakeCase<Property>]: Entity[Property];
};

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

/** The columns of an entity in the order of their declaration. */
export const columnsOf = <Entity>(entity: EntityClass<Entity>): readonly EntityColumn[] =>
  getMetadataArgsStorage()
    .columns.filter(
      ({ target }) =>
        target === entity ||
        (typeof target === 'function' && Object.prototype.isPrototypeOf.call(target, entity)),
    )
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: options.name ?? snakeCase(propertyName),
      type: String(options.type),
      isArray: options.array === true,
      whenAbsent: options.nullable === true ? null : defaultOf(options),
    }));

/** Of a bigint, decimal text. */
const defaultOf = ({ default: value, type }: ColumnOptions): unknown =>
  typeof value === 'number' && type === 'bigint' ? String(value) : value;

/** Those of some properties, in the order of these. */
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

/** The row of these values, with the defaults of its other columns. */
export function rowWithDefaults<Entity>(
  entity: EntityClass<Entity>,
  given: Partial<RowOf<Entity>>,
): RowOf<Entity> {
  const defaults = columnsOf(entity).map(({ name, whenAbsent }) => [name, whenAbsent] as const);
  const row = { ...Object.fromEntries<unknown>(defaults), ...given };
  if (!isRow<Entity>(row)) {
    throw new Error(`a row of ${entity.name} lacks a value that has no default`);
  }
  return row;
}

const isRow = <Entity>(row: object): row is RowOf<Entity> =>
  Object.values(row).every((value) => value !== undefined);

/** Their names, as in a SELECT or an INSERT. */
export const namesOf = (columns: readonly EntityColumn[]): string =>
  columns.map(({ name }) => name).join(', ');

/** Their names, each as its property, as in a SELECT or after RETURNING: the rows are like those of the entity. */
export const asProperties = (columns: readonly EntityColumn[]): string =>
  columns.map(({ name, property }) => `${name} AS "${property}"`).join(', ');

/** `status = row.status, …`, from the table or the set of rows that has the alias. */
export const assigned = (columns: readonly EntityColumn[], alias: string): string =>
  columns.map(({ name }) => `${name} = ${alias}.${name}`).join(', ');

/**
 * A set of rows as one parameter a column, from `$first` on: the text is the same for any number of rows, while
 * TypeORM's INSERT grows by a placeholder for each value, and its UPDATE writes one row.
 */
export const rowSet = (columns: readonly EntityColumn[], first: number): string =>
  `(SELECT ${columns.map(({ name, type, isArray }) => (isArray ? `${name}::${type}[]` : name)).join(', ')}
    FROM unnest(${columns.map(({ type, isArray }, at) => `$${first + at}::${isArray ? 'text' : type}[]`).join(', ')})
      AS given (${namesOf(columns)})) AS row`;

/** The parameters of a `rowSet`. */
export const rowSetValues = <Property extends string>(
  columns: readonly EntityColumn<Property>[],
  rows: readonly Readonly<Record<Property, unknown>>[],
): unknown[] =>
  columns.map(({ property, isArray }) =>
    rows.map(({ [property]: value }) =>
      isArray && Array.isArray(value) ? arrayLiteral(value) : value,
    ),
  );

/** An array as PostgreSQL reads it: in a set of rows it travels as one text a row. */
const arrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
