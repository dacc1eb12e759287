import { Reflector } from '@nestjs/core';
import type {
  HeadersObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31';

import type { ErrorCode } from './error.catalogue.js';

/** A complete example of a call, with its response. */
export interface CallExample {
  readonly summary: string;
  /** The parameters, without the credentials of the v3 endpoints. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The status of the response. Absent if the call succeeds. */
  readonly status?: number;
  /** The body of a successful response. Real responses contain other times, tokens and user ids. */
  readonly answer?: unknown;
}

/** The body of a request. */
export interface CallRequest {
  /** The name of the schema of the body in the document. */
  readonly name: string;
  readonly params: readonly DocumentedParam[];
  readonly description: string;
  /** True if the client may send other credentials instead of the body. */
  readonly isOptional?: boolean;
  readonly examples: Readonly<Record<string, CallExample>>;
}

/** The response of a successful call. */
interface CallAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: HeadersObject;
  /** The example of a response to a call without parameters. */
  readonly example?: unknown;
}

/**
 * The format of error responses: `account` is the format of Nest, `v3` is the format of the v3 endpoints
 * (docs/api/errors.md).
 */
export type ErrorDialect = 'account' | 'v3';

/** The description of one endpoint in the API document. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly SecurityRequirementObject[];
  readonly pathParameters?: Readonly<Record<string, SchemaObject>>;
  readonly request?: CallRequest;
  /** Parameters outside the body, which are headers or parameters in the query of a page. */
  readonly parameters?: readonly ParameterObject[];
  readonly answer: CallAnswer;
  readonly errors: readonly ErrorCode[];
  readonly dialect: ErrorDialect;
  /** Named schemas that other schemas of the operation refer to. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
}

/** Describes the endpoint of a handler to the API document. */
export const Describes = Reflector.createDecorator<Operation>();

/** The description of a request parameter in the API document. */
export interface DocumentedParam {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly isRequired: boolean;
}

/** The meaning of a parameter, and the default value of the parameter. */
export interface About extends Pick<SchemaObject, 'description' | 'deprecated'> {
  readonly default?: string | number;
}

type Prototype = object;

const documented = new WeakMap<Prototype, DocumentedParam[]>();

/**
 * Records the schema of a parameter for the API document. Decorators that parse or check a parameter call this
 * decorator.
 */
export function ParamSchema(schema: SchemaObject, { isRequired = true } = {}): PropertyDecorator {
  return (prototype, name) => {
    const params = documented.get(prototype) ?? [];
    documented.set(prototype, [...params, { name: String(name), schema, isRequired }]);
  };
}

/** Returns the parameters of a request class in the order of their declaration. */
export const paramsOf = ({ prototype }: { prototype: Prototype }): readonly DocumentedParam[] =>
  documented.get(prototype) ?? [];

export type Schema = SchemaObject | ReferenceObject;

interface Optional {
  readonly optional: Schema;
}

/**
 * A schema for each field of a response type. A field that is missing, extra or wrongly required is a compile error.
 */
type FieldSchemas<T> = {
  readonly [K in keyof Required<T>]: undefined extends T[K] ? Optional : Schema;
};

export const optional = (schema: Schema): Optional => ({ optional: schema });

/** Returns the schema of an object with the fields of `T`. */
export const objectOf = <T extends object>(
  fields: FieldSchemas<T>,
  about: Pick<SchemaObject, 'description'> = {},
): SchemaObject => objectSchema(Object.entries<Schema | Optional>(fields), about);

type FieldSchema = readonly [name: string, schema: Schema | Optional];

const fieldsOf = new WeakMap<Prototype, FieldSchema[]>();

/** Documents a field of a response class. `optional` marks a field that may be undefined. */
export const Field =
  (schema: Schema | Optional): PropertyDecorator =>
  (prototype, name) => {
    const fields = fieldsOf.get(prototype) ?? [];
    fieldsOf.set(prototype, [...fields, [String(name), schema]]);
  };

/** Returns the schema of a class whose fields have the decorator `Field`. */
export const schemaOf = (
  { prototype }: { prototype: Prototype },
  about: Pick<SchemaObject, 'description'> = {},
): SchemaObject => objectSchema(fieldsOf.get(prototype) ?? [], about);

function objectSchema(
  entries: readonly FieldSchema[],
  about: Pick<SchemaObject, 'description'>,
): SchemaObject {
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

/** Returns a reference to a schema of the API document. */
export const ref = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** Returns the schema of an object that maps names to elements. */
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

/** Returns the schema of a string of decimal digits. */
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
