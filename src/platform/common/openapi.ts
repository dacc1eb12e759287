import { Reflector } from '@nestjs/core';
import type {
  HeadersObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31';

import type { ErrorCode } from './error.catalogue.js';

/** A complete example of an API call and its response. */
export interface CallExample {
  readonly summary: string;
  /** The parameters of the example, without the credentials of the v3 API. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The status of an error response. Undefined if the call of the example succeeds. */
  readonly status?: number;
  /** The body of a successful response. In real responses, times, tokens and user ids differ. */
  readonly answer?: unknown;
}

/** Describes the body of a request. */
export interface CallRequest {
  /** The name of the body's schema in the API document. */
  readonly name: string;
  readonly params: readonly DocumentedParam[];
  readonly description: string;
  /** True if the client may omit the body and send a token or a cookie instead. */
  readonly isOptional?: boolean;
  readonly examples: Readonly<Record<string, CallExample>>;
}

/** Describes the response of a successful call. */
interface CallAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: HeadersObject;
  /** An example of the response to a call without parameters. */
  readonly example?: unknown;
}

/**
 * The format of error responses: `account` is Nest's format, and `v3` is the format of the v3 API (docs/api/errors.md).
 */
export type ErrorDialect = 'account' | 'v3';

/** Describes one endpoint in the API document. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly SecurityRequirementObject[];
  readonly pathParameters?: Readonly<Record<string, SchemaObject>>;
  readonly request?: CallRequest;
  /** The parameters outside the body: headers, and parameters in the query string. */
  readonly parameters?: readonly ParameterObject[];
  readonly answer: CallAnswer;
  readonly errors: readonly ErrorCode[];
  /** Redirects and error pages for browsers: descriptions by status. A status below 400 has no body. */
  readonly pages?: Readonly<Record<number, string>>;
  readonly dialect: ErrorDialect;
  /** Schemas that other schemas of the endpoint refer to by name. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
}

/** Attaches the description of an endpoint to its handler, for the API document. */
export const Describes = Reflector.createDecorator<Operation>();

/** Describes a request parameter in the API document. */
export interface DocumentedParam {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly isRequired: boolean;
}

/** Describes the meaning of a parameter and its default value. */
export interface About extends Pick<SchemaObject, 'description' | 'deprecated'> {
  readonly default?: string | number;
}

type Prototype = object;

const documented = new WeakMap<Prototype, DocumentedParam[]>();

/**
 * Records the schema of a request parameter for the API document. The decorators that parse or check parameters call
 * `ParamSchema`.
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
 * The schemas of all fields of a response type. The compiler reports an error if a field is missing or unknown, or if a
 * field that may be undefined is not marked with `optional`.
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

/** Returns a reference to a named schema of the API document. */
export const ref = (name: string): ReferenceObject => ({ $ref: `#/components/schemas/${name}` });

/** Returns the schema of an object whose values all have the schema `element`. */
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
