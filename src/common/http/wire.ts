import type { SchemaObject } from 'openapi3-ts/oas31';

import { type About, Member } from '../openapi/member.js';
import { declareWireMember } from './wire-members.js';
import {
  choiceReader,
  type IntegerRange,
  integerReader,
  type Reader,
  readFlag,
  readId,
  readTimestamp,
  readTimestampOrDate,
  textReader,
} from './wire-reader.js';
import {
  choiceSchema,
  FLAG_SCHEMA,
  ID_SCHEMA,
  integerSchema,
  textSchema,
  TIMESTAMP_OR_DATE_SCHEMA,
  TIMESTAMP_SCHEMA,
} from './wire-schema.js';

/**
 * Reads a member of a request class; what cannot be read becomes a fault that names the member. The schema is
 * what the API document says of it.
 */
export const Wire = (read: Reader<unknown>, schema: SchemaObject = {}): PropertyDecorator =>
  member(read, schema, { isRequired: false });

/** A member without which there is nothing to do. */
export const WireRequired = (read: Reader<unknown>, schema: SchemaObject = {}): PropertyDecorator =>
  member(read, schema, { isRequired: true });

const member =
  (
    read: Reader<unknown>,
    schema: SchemaObject,
    { isRequired }: { readonly isRequired: boolean },
  ): PropertyDecorator =>
  (prototype, name) => {
    declareWireMember(prototype, { name: String(name), read, isRequired });
    Member(schema, { isRequired })(prototype, name);
  };

export const WireInteger = (range: IntegerRange, about: About = {}): PropertyDecorator =>
  Wire(integerReader(range), { ...integerSchema(range), ...about });

export const WireFlag = (about: About = {}): PropertyDecorator =>
  Wire(readFlag, { ...FLAG_SCHEMA, ...about });

export const WireTimestamp = (about: About = {}): PropertyDecorator =>
  Wire(readTimestamp, { ...TIMESTAMP_SCHEMA, ...about });

export const WireTimestampOrDate = (about: About = {}): PropertyDecorator =>
  Wire(readTimestampOrDate, { ...TIMESTAMP_OR_DATE_SCHEMA, ...about });

/** The names that clients send, each with what it means; `undefined` is accepted and means nothing. */
export const WireChoice = (
  choices: Readonly<Record<string, unknown>>,
  about: About = {},
): PropertyDecorator => Wire(choiceReader(choices), { ...choiceSchema(choices), ...about });

export const WireId = (about: About = {}): PropertyDecorator =>
  Wire(readId, { ...ID_SCHEMA, ...about });

export const WireText = (limit: { readonly max: number }, about: About = {}): PropertyDecorator =>
  Wire(textReader(limit), { ...textSchema(limit), ...about });
