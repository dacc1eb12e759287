import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

export type Schema = SchemaObject | ReferenceObject;

interface Optional {
  readonly optional: Schema;
}

/** A schema for each member of an answer's type: one that is forgotten, too many or falsely required does not compile. */
type MemberSchemas<T> = {
  readonly [K in keyof Required<T>]: undefined extends T[K] ? Optional : Schema;
};

export const optional = (schema: Schema): Optional => ({ optional: schema });

/** The schema of an object with the members of `T`. */
export function objectOf<T extends object>(
  members: MemberSchemas<T>,
  about: Pick<SchemaObject, 'description'> = {},
): SchemaObject {
  const entries = Object.entries<Schema | Optional>(members);
  return {
    type: 'object',
    ...about,
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, plain(schema)])),
    required: entries.filter(([, schema]) => !isOptional(schema)).map(([name]) => name),
  };
}

const isOptional = (schema: Schema | Optional): schema is Optional => 'optional' in schema;
const plain = (schema: Schema | Optional): Schema =>
  isOptional(schema) ? schema.optional : schema;

/** Points to a schema of the document. */
export const ref = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** An object with a name of its own for each element. */
export const keyed = (
  element: Schema,
  { names, description }: { readonly names: SchemaObject; readonly description: string },
): SchemaObject => ({
  type: 'object',
  description,
  propertyNames: names,
  additionalProperties: element,
});

export const text = (description: string): SchemaObject => ({ type: 'string', description });

/** Decimal digits as text. */
export const digits = (description: string): SchemaObject => ({
  type: 'string',
  pattern: String.raw`^\d+$`,
  description,
});

export const oneOfTexts = (values: readonly string[], description: string): SchemaObject => ({
  type: 'string',
  enum: [...values],
  description,
});
