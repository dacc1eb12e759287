import type { SchemaObject } from 'openapi3-ts/oas31';

import { ISO_DATE_TIME, isoSeconds } from '../lib/util/iso-date.js';
import type { Message } from '../platform/i18n/message.js';

/** The value that a parameter reader returns if the parameter is invalid. */
export class Unreadable {
  constructor(
    /**
     * The part of the error message after the name of the parameter, such as `must be a number`.
     */
    readonly reason: string,
    /**
     * A message for a user who has entered the value in a web form. It says how to correct the
     * value.
     */
    readonly advice?: Message,
  ) {}
}

/**
 * Converts the value of a parameter, which a client may send as a text, to the type that the service needs. Returns
 * `Unreadable` if the value is invalid.
 */
export type Reader<T> = (value: unknown) => T | Unreadable;

/**
 * Returns true for undefined, null and blank text. Some clients send null or a blank text for a parameter that they do
 * not use.
 */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

export interface IntegerRange {
  readonly min: number;
  readonly max: number;
  /** True if a value above `max` is replaced with `max`. By default, such a value is rejected. */
  readonly clamp?: boolean;
}

const INTEGER = /^-?\d+$/;

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/**
 * Returns a reader for integers, which clients send as numbers or as decimal texts. `Number()` would also accept true,
 * "0x1e" and "1e1".
 */
export function integerReader({ min, max, clamp = false }: IntegerRange): Reader<number> {
  return (given) => {
    const value = trimmed(given);
    const isInteger = typeof value === 'string' ? INTEGER.test(value) : Number.isInteger(value);
    const integer = Number(isInteger ? value : NaN);
    return integer >= min && (clamp || integer <= max)
      ? Math.min(integer, max)
      : new Unreadable(`must be a whole number from ${min}${clamp ? '' : ` to ${max}`}`);
  };
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[0, '0', false, 'false'].map((no) => [no, false] as const),
  ...[1, '1', true, 'true'].map((yes) => [yes, true] as const),
]);

export const readFlag: Reader<boolean> = (value) =>
  FLAGS.get(trimmed(value)) ?? new Unreadable('must be 0 or 1');

const DECIMAL = /^\d+(\.\d*)?$/;
const LEAST_MILLISECONDS = 1e12;

/**
 * Reads a time in Unix seconds, and drops fractions of a second. A number with 13 or more digits is a time in
 * milliseconds.
 */
export const readTimestamp: Reader<number> = (given) => {
  const value = trimmed(given);
  const isDecimal = typeof value === 'string' ? DECIMAL.test(value) : typeof value === 'number';
  const time = Number(isDecimal ? value : NaN);
  const seconds = Math.trunc(time < LEAST_MILLISECONDS ? time : time / 1000);
  return time >= 0 && Number.isSafeInteger(seconds)
    ? seconds
    : new Unreadable('must be a time in seconds since 1970');
};

/** Reads a Unix timestamp, or an ISO 8601 date and time in the format of JavaScript's `Date.toISOString`. */
export const readTimestampOrDate: Reader<number> = (given) => {
  const value = trimmed(given);
  const isDate = typeof value === 'string' && ISO_DATE_TIME.test(value);
  const seconds = isDate ? isoSeconds(value) : NaN;
  return seconds >= 0 ? seconds : readTimestamp(value);
};

/**
 * Returns a reader that accepts the keys of `choices`, in upper or lower case. The reader returns
 * the value of the key.
 */
export function choiceReader<T>(choices: Readonly<Record<string, T>>): Reader<T> {
  const byName = new Map(Object.entries(choices).map(([name, choice]) => [name, { choice }]));
  const refusal = new Unreadable(`must be one of ${[...byName.keys()].join(', ')}`);
  return (value) => {
    const found = typeof value === 'string' ? byName.get(value.trim().toLowerCase()) : undefined;
    return found === undefined ? refusal : found.choice;
  };
}

const MAX_ID = 9_223_372_036_854_775_807n;
const DIGITS = /^\d{1,19}$/;

/**
 * Reads the id of a database row. Returns the id as a decimal text, because ids have 64 bits and JavaScript numbers are
 * exact only up to 2^53.
 */
export const readId: Reader<string> = (value) => {
  const text = Number.isSafeInteger(value) ? String(value) : trimmed(value);
  const id = typeof text === 'string' && DIGITS.test(text) ? BigInt(text) : -1n;
  return id >= 0n && id <= MAX_ID ? String(id) : new Unreadable('must be an id of digits');
};

/**
 * Returns a reader for texts of at most `max` UTF-16 units. The reader also accepts numbers, because clients in loosely
 * typed languages may send a text of digits as a JSON number.
 */
export function textReader({ max }: { readonly max: number }): Reader<string> {
  return (value) => {
    const text = Number.isFinite(value) ? String(value) : value;
    return typeof text === 'string' && text.length <= max
      ? text
      : new Unreadable(`must be text of at most ${max} characters`);
  };
}

// The JSON Schemas of the values that the readers above accept. Clients may send a number as text,
// so these schemas limit numbers with `minimum` and `maximum`, and texts with `pattern`.

export const integerSchema = ({ min, max, clamp = false }: IntegerRange): SchemaObject => ({
  type: ['integer', 'string'],
  minimum: min,
  ...(!clamp && { maximum: max }),
  pattern: min < 0 ? INTEGER.source : DIGITS.source,
});

export const FLAG_SCHEMA: SchemaObject = { enum: [...FLAGS.keys()] };

export const TIMESTAMP_SCHEMA: SchemaObject = {
  type: ['number', 'string'],
  minimum: 0,
  pattern: DECIMAL.source,
};

export const TIMESTAMP_OR_DATE_SCHEMA: SchemaObject = {
  ...TIMESTAMP_SCHEMA,
  pattern: `${DECIMAL.source}|${ISO_DATE_TIME.source}`,
};

export const choiceSchema = (choices: Readonly<Record<string, unknown>>): SchemaObject => ({
  type: 'string',
  enum: Object.keys(choices),
});

export const ID_SCHEMA: SchemaObject = {
  type: ['string', 'integer'],
  minimum: 0,
  pattern: DIGITS.source,
};

export const textSchema = ({ max }: { readonly max: number }): SchemaObject => ({
  type: ['string', 'number'],
  maxLength: max,
});
