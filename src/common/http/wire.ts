import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDefined, ValidateBy, type ValidationArguments } from 'class-validator';
import type { SchemaObject } from 'openapi3-ts/oas31';

import { type About, Member } from '../openapi/member.js';
import {
  choiceReader,
  type IntegerRange,
  integerReader,
  isAbsent,
  type Reader,
  readFlag,
  readId,
  readTimestamp,
  textReader,
  Unreadable,
} from './wire-reader.js';
import {
  choiceSchema,
  FLAG_SCHEMA,
  ID_SCHEMA,
  integerSchema,
  textSchema,
  TIMESTAMP_SCHEMA,
} from './wire-schema.js';

/**
 * Reads a member of a request class; what cannot be read becomes a fault that names the member. The schema is
 * what the API document says of it.
 */
export function Wire(read: Reader<unknown>, schema: SchemaObject = {}): PropertyDecorator {
  return applyDecorators(reading(read), Member(schema, { isRequired: false }));
}

/** A member without which there is nothing to do. */
export function WireRequired(read: Reader<unknown>, schema: SchemaObject = {}): PropertyDecorator {
  return applyDecorators(
    IsDefined({ message: '$property is missing' }),
    reading(read),
    Member(schema),
  );
}

const reading = (read: Reader<unknown>): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (isAbsent(value) ? undefined : read(value))),
    ValidateBy({
      name: 'isReadable',
      validator: {
        validate: (value: unknown) => !(value instanceof Unreadable),
        defaultMessage: sentence,
      },
    }),
  );

function sentence(fault?: ValidationArguments): string {
  const value: unknown = fault?.value;
  return value instanceof Unreadable ? `${fault?.property ?? ''} ${value.reason}` : '';
}

export const WireInteger = (range: IntegerRange, about: About = {}): PropertyDecorator =>
  Wire(integerReader(range), { ...integerSchema(range), ...about });

export const WireFlag = (about: About = {}): PropertyDecorator =>
  Wire(readFlag, { ...FLAG_SCHEMA, ...about });

export const WireTimestamp = (about: About = {}): PropertyDecorator =>
  Wire(readTimestamp, { ...TIMESTAMP_SCHEMA, ...about });

/** The names that clients send, each with what it means; `undefined` is accepted and means nothing. */
export const WireChoice = (
  choices: Readonly<Record<string, unknown>>,
  about: About = {},
): PropertyDecorator => Wire(choiceReader(choices), { ...choiceSchema(choices), ...about });

export const WireId = (about: About = {}): PropertyDecorator =>
  Wire(readId, { ...ID_SCHEMA, ...about });

export const WireText = (limit: { readonly max: number }, about: About = {}): PropertyDecorator =>
  Wire(textReader(limit), { ...textSchema(limit), ...about });
