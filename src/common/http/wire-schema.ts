import type { SchemaObject } from 'openapi3-ts/oas31';

import { ISO_DATE_TIME } from '../iso-date.js';
import { DECIMAL, DIGITS, FLAGS, INTEGER, type IntegerRange } from './wire-reader.js';

// What the readers of wire-reader.ts accept, in the words of JSON Schema: a limit holds for one type alone.

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
