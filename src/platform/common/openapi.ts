import { Reflector } from '@nestjs/core';
import type {
  HeadersObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31';

import type { ErrorCode } from './error.catalogue.js';

/** A call that can be sent as it stands, and what comes back. */
export interface CallExample {
  readonly summary: string;
  /** The parameters, without the credentials of the v3 endpoints. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The status of the answer, where it is not the success. */
  readonly status?: number;
  /** The body of a success; times, tokens and ids of users differ from call to call. */
  readonly answer?: unknown;
}

/** What a call carries. */
export interface CallRequest {
  /** The name of its schema in the document. */
  readonly name: string;
  readonly params: readonly DocumentedParam[];
  readonly description: string;
  /** Other credentials stand in for the body. */
  readonly isOptional?: boolean;
  readonly examples: Readonly<Record<string, CallExample>>;
}

/** What comes back when all goes well. */
interface CallAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: HeadersObject;
  /** The body, where the call has no parameters. */
  readonly example?: unknown;
}

/** How an error is written: as Nest does, or as v3 clients read it (docs/errors.md). */
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
  /** What a call carries outside of its body: headers, or the query of a page. */
  readonly parameters?: readonly ParameterObject[];
  readonly answer: CallAnswer;
  readonly errors: readonly ErrorCode[];
  readonly dialect: ErrorDialect;
  /** Schemas that the others refer to by name. */
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

/** What a declaration adds to the type of its parameter: the meaning, and what holds when it is absent. */
export interface About extends Pick<SchemaObject, 'description' | 'deprecated'> {
  readonly default?: string | number;
}

type Prototype = object;

const documented = new WeakMap<Prototype, DocumentedParam[]>();

/** Records what the API document says of a parameter; decorators that read or check a parameter apply it. */
export function ParamSchema(schema: SchemaObject, { isRequired = true } = {}): PropertyDecorator {
  return (prototype, name) => {
    const params = documented.get(prototype) ?? [];
    documented.set(prototype, [...params, { name: String(name), schema, isRequired }]);
  };
}

/** The parameters of a request class in the order of their declaration. */
export const paramsOf = ({ prototype }: { prototype: Prototype }): readonly DocumentedParam[] =>
  documented.get(prototype) ?? [];

export type Schema = SchemaObject | ReferenceObject;

interface Optional {
  readonly optional: Schema;
}

/** A schema for each field of an answer's type: one that is forgotten, too many or falsely required does not compile. */
type FieldSchemas<T> = {
  readonly [K in keyof Required<T>]: undefined extends T[K] ? Optional : Schema;
};

export const optional = (schema: Schema): Optional => ({ optional: schema });

/** The schema of an object with the fields of `T`. */
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
