import type { SchemaObject } from 'openapi3-ts/oas31';

import { ISO_DATE_TIME, isoSeconds } from '../lib/util/iso-date.js';

/** The reason why a parameter is invalid. */
export class Unreadable {
  constructor(
    /** The reason, which continues a sentence that starts with the name of the parameter. */
    readonly reason: string,
    /** A complete sentence for people who fill in a form. */
    readonly advice?: string,
  ) {}
}

/** Reads the value of a parameter as clients send it. Returns `Unreadable` if the value is invalid. */
export type Reader<T> = (value: unknown) => T | Unreadable;

/**
 * Returns true for a missing value, null and blank text. Some clients send null or blank text instead of omitting a
 * parameter.
 */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

export interface IntegerRange {
  readonly min: number;
  readonly max: number;
  /** If true, replaces a value above `max` with `max`. Otherwise, such a value is rejected. */
  readonly clamp?: boolean;
}

const INTEGER = /^-?\d+$/;

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/**
 * Returns a reader for whole numbers, which may be decimal text. Does not use `Number()`, which would also accept true,
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

/** Reads a time in Unix seconds. Drops a fraction. Treats a number of 13 digits or more as milliseconds. */
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

/** Returns a reader for one of the given names, in upper or lower case. */
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
 * Reads the id of a row. Returns the id as decimal text, as `pg` does, because JavaScript numbers are exact only up to
 * 2^53.
 */
export const readId: Reader<string> = (value) => {
  const text = Number.isSafeInteger(value) ? String(value) : trimmed(value);
  const id = typeof text === 'string' && DIGITS.test(text) ? BigInt(text) : -1n;
  return id >= 0n && id <= MAX_ID ? String(id) : new Unreadable('must be an id of digits');
};

/**
 * Returns a reader for text. `max` is the maximum length in UTF-16 units. Also accepts numbers, because clients in
 * loosely typed languages send numbers.
 */
export function textReader({ max }: { readonly max: number }): Reader<string> {
  return (value) => {
    const text = Number.isFinite(value) ? String(value) : value;
    return typeof text === 'string' && text.length <= max
      ? text
      : new Unreadable(`must be text of at most ${max} characters`);
  };
}

// The JSON Schemas of the values that the readers accept. In JSON Schema, each limit applies to only one type.

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
