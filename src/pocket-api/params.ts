import type { SchemaObject } from 'openapi3-ts/oas31';

import {
  fieldProblem,
  type Problem,
  ValidationFailedError,
} from '../platform/common/common.errors.js';
import { type About, ParamSchema } from '../platform/common/openapi.js';
import {
  choiceReader,
  choiceSchema,
  FLAG_SCHEMA,
  ID_SCHEMA,
  type IntegerRange,
  integerReader,
  integerSchema,
  isAbsent,
  type Reader,
  readFlag,
  readId,
  readTimestamp,
  readTimestampOrDate,
  textReader,
  textSchema,
  TIMESTAMP_OR_DATE_SCHEMA,
  TIMESTAMP_SCHEMA,
  Unreadable,
} from './param-readers.js';

/** A parameter that a request class declares, with the function that reads its value. */
interface DeclaredParam {
  readonly name: string;
  readonly read: Reader<unknown>;
  readonly isRequired: boolean;
}

interface HasPrototype {
  readonly prototype: object;
}

const declared = new WeakMap<object, DeclaredParam[]>();

function declareParam(prototype: object, param: DeclaredParam): void {
  declared.set(prototype, [...(declared.get(prototype) ?? []), param]);
}

/** Returns true if the request class declares its parameters with the decorators of this file. */
export const hasParams = ({ prototype }: HasPrototype): boolean => declared.has(prototype);

/**
 * Reads the parameters that the request class declares, and drops all other parameters.
 * @throws ValidationFailedError with the errors of all invalid parameters
 */
export function readParams<T extends object>(
  requestClass: HasPrototype & (new () => T),
  sent: object,
): T {
  const values: Record<string, unknown> = {};
  const errors: Problem[] = [];
  for (const param of declared.get(requestClass.prototype) ?? []) {
    const value = valueOf(
      param,
      Object.hasOwn(sent, param.name) ? Reflect.get(sent, param.name) : undefined,
    );
    if (value instanceof Unreadable) {
      errors.push(fieldProblem(param.name, value.reason, value.advice));
    } else {
      values[param.name] = value;
    }
  }
  if (errors.length > 0) {
    throw new ValidationFailedError(errors);
  }
  return Object.assign(new requestClass(), values);
}

function valueOf({ read, isRequired }: DeclaredParam, sent: unknown): unknown {
  const value = isAbsent(sent) ? undefined : read(sent);
  return value === undefined && isRequired ? new Unreadable('is missing') : value;
}

/**
 * Declares an optional parameter and the function that reads it. `schema` describes the parameter in the OpenAPI
 * document.
 */
export const CustomParam = (read: Reader<unknown>, schema: SchemaObject = {}): PropertyDecorator =>
  parameter(read, schema, { isRequired: false });

/** Declares a required parameter and the function that reads it. */
export const RequiredParam = (
  read: Reader<unknown>,
  schema: SchemaObject = {},
): PropertyDecorator => parameter(read, schema, { isRequired: true });

const parameter =
  (
    read: Reader<unknown>,
    schema: SchemaObject,
    { isRequired }: { readonly isRequired: boolean },
  ): PropertyDecorator =>
  (prototype, name) => {
    declareParam(prototype, { name: String(name), read, isRequired });
    ParamSchema(schema, { isRequired })(prototype, name);
  };

export const IntegerParam = (range: IntegerRange, about: About = {}): PropertyDecorator =>
  CustomParam(integerReader(range), { ...integerSchema(range), ...about });

export const FlagParam = (about: About = {}): PropertyDecorator =>
  CustomParam(readFlag, { ...FLAG_SCHEMA, ...about });

export const TimestampParam = (about: About = {}): PropertyDecorator =>
  CustomParam(readTimestamp, { ...TIMESTAMP_SCHEMA, ...about });

export const TimestampOrDateParam = (about: About = {}): PropertyDecorator =>
  CustomParam(readTimestampOrDate, { ...TIMESTAMP_OR_DATE_SCHEMA, ...about });

/**
 * Declares a parameter that accepts the keys of `choices`. The property gets the value of the key.
 * A key whose value is undefined is accepted but has no effect.
 */
export const ChoiceParam = (
  choices: Readonly<Record<string, unknown>>,
  about: About = {},
): PropertyDecorator => CustomParam(choiceReader(choices), { ...choiceSchema(choices), ...about });

export const IdParam = (about: About = {}): PropertyDecorator =>
  CustomParam(readId, { ...ID_SCHEMA, ...about });

export const TextParam = (limit: { readonly max: number }, about: About = {}): PropertyDecorator =>
  CustomParam(textReader(limit), { ...textSchema(limit), ...about });
