import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';

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

/** Reads a member of a request class; what cannot be read becomes a fault that names the member. */
export function Wire(read: Reader<unknown>): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (isAbsent(value) ? undefined : read(value))),
    ValidateBy({
      name: 'isReadable',
      validator: {
        validate: (value: unknown) => !(value instanceof Unreadable),
        defaultMessage: sentence,
      },
    }),
  );
}

function sentence(fault?: ValidationArguments): string {
  const value: unknown = fault?.value;
  return value instanceof Unreadable ? `${fault?.property ?? ''} ${value.reason}` : '';
}

export const WireInteger = (range: IntegerRange): PropertyDecorator => Wire(integerReader(range));

export const WireFlag = (): PropertyDecorator => Wire(readFlag);

export const WireTimestamp = (): PropertyDecorator => Wire(readTimestamp);

/** The names that clients send, each with what it means; `undefined` is accepted and means nothing. */
export const WireChoice = (choices: Readonly<Record<string, unknown>>): PropertyDecorator =>
  Wire(choiceReader(choices));

export const WireId = (): PropertyDecorator => Wire(readId);

export const WireText = (limit: { readonly max: number }): PropertyDecorator =>
  Wire(textReader(limit));
