import { Reflector } from '@nestjs/core';
import type {
  HeadersObject,
  ParameterObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31';

import type { ErrorCode } from '../error.catalogue.js';
import type { DocumentedMember } from './member.js';
import type { Schema } from './schema.js';

/** A call that can be sent as it stands, and what comes back. */
export interface CallExample {
  readonly summary: string;
  /** The members, without the credentials of the v3 endpoints. */
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
  readonly members: readonly DocumentedMember[];
  readonly description: string;
  /** Other proofs stand in for the body. */
  readonly isOptional?: boolean;
  readonly examples: Readonly<Record<string, CallExample>>;
}

/** What comes back when all goes well. */
export interface CallAnswer {
  readonly status: number;
  readonly description: string;
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: HeadersObject;
  /** The body, where the call has no members. */
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
  /** What a call carries outside of its members: headers, or the query of a page. */
  readonly parameters?: readonly ParameterObject[];
  readonly answer: CallAnswer;
  readonly errors: readonly ErrorCode[];
  readonly dialect: ErrorDialect;
  /** Schemas that the others refer to by name. */
  readonly schemas?: Readonly<Record<string, SchemaObject>>;
}

/** Describes the endpoint of a handler to the API document. */
export const Describes = Reflector.createDecorator<Operation>();
