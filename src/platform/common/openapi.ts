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
  /** The status of the response if the call does not succeed. */
  readonly status?: number;
  /** The body of a successful response. Times, tokens and user ids differ from call to call. */
  readonly answer?: unknown;
}

/** The body of a request. */
export interface CallRequest {
  /** The name of its schema in the document. */
  readonly name: string;
  readonly params: readonly DocumentedParam[];
  readonly description: string;
  /** True if other credentials can replace the body. */
  readonly isOptional?: boolean;
  readonly examples: Readonly<Record<string, CallExample>>;
}

/** The response of a successful call. */
interface CallAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: HeadersObject;
  /** The example body of a call without parameters. */
  readonly example?: unknown;
}

/** The format of error responses: the one of Nest, or the one of the v3 endpoints (docs/api/errors.md). */
export type ErrorDialect = 'account' | 'v3';

/** One endpoint as the API document describes it. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly SecurityRequirementObject[];
  readonly pathParameters?: Readonly<Record<string, SchemaObject>>;
  readonly request?: CallRequest;
  /** Parameters outside the body: headers, or the query of a page. */
  readonly parameters?: readonly ParameterObject[];
  readonly answer: CallAnswer;
  readonly errors: readonly ErrorCode[];
  readonly dialect: ErrorDialect;
  /** Schemas that other schemas refer to by name. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
}

/** Describes the endpoint of a handler to the API document. */
export const Describes = Reflector.createDecorator<Operation>();

/** A parameter of a request as the API document shows it. */
export interface DocumentedParam {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly isRequired: boolean;
}

/** The meaning of a parameter, and its value if it is absent. */
export interface About extends Pick<SchemaObject, 'description' | 'deprecated'> {
  readonly default?: string | number;
}

type Prototype = object;

const documented = new WeakMap<Prototype, DocumentedParam[]>();

/** Records the schema of a parameter for the API document. Decorators that parse or check a parameter apply it. */
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

/** One schema per field of a response type. A missing, extra or wrongly required field does not compile. */
type FieldSchemas<T> = {
  readonly [K in keyof Required<T>]: undefined extends T[K] ? Optional : Schema;
};

export const optional = (schema: Schema): Optional => ({ optional: schema });

/** Returns the schema of an object with the fields of `T`. */
export function objectOf<T extends object>(
  fields: FieldSchemas<T>,
  about: Pick<SchemaObject, 'description'> = {},
): SchemaObject {
  const entries = Object.entries<Schema | Optional>(fields);
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
