import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaObject } from 'openapi3-ts/oas31';

import {
  choiceReader,
  choiceSchema,
  FLAG_SCHEMA,
  ID_SCHEMA,
  integerReader,
  integerSchema,
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

const ajv = new Ajv2020({ strict: false });

const RANGE = { min: 0, max: 30 };
const CHOICES = { unread: 1, archive: 2, all: undefined };

const KINDS: [string, SchemaObject, Reader<unknown>][] = [
  ['an integer', integerSchema(RANGE), integerReader(RANGE)],
  ['a flag', FLAG_SCHEMA, readFlag],
  ['a timestamp', TIMESTAMP_SCHEMA, readTimestamp],
  ['a timestamp or a date', TIMESTAMP_OR_DATE_SCHEMA, readTimestampOrDate],
  ['a choice', choiceSchema(CHOICES), choiceReader(CHOICES)],
  ['an id', ID_SCHEMA, readId],
  ['a text', textSchema({ max: 5 }), textReader({ max: 5 })],
];

const VALUES: readonly unknown[] = [
  ...[0, 1, 7, 30, -1, '0', '1', '7', '30', '-1', true, false, 'true', 'false', 'yes'],
  ...['unread', 'archive', 'all', 'foo', 'a', 'abcde', 'abcdef', '1e3', '0x10', '+7', '1.5x'],
  ...['2024-06-24', '2024-06-24T21:19:06.129Z', '2024-06-24T23:19+02:00', '2024-06', '24.06.2024'],
  ...[[], {}, [1], { length: 3 }],
];

describe.each(KINDS)('the schema of %s', (_, schema, read) => {
  const validate = ajv.compile(schema);

  it.each(VALUES)('allows %j just as its reader does', (value) => {
    expect(validate(value)).toBe(!(read(value) instanceof Unreadable));
  });
});

describe('the schema of an integer', () => {
  it.each([31, 1.5])('does not allow %d, which the reader refuses', (value) => {
    expect(ajv.validate(integerSchema(RANGE), value)).toBe(false);
  });

  it('has no maximum where more is taken for the maximum', () => {
    expect(ajv.validate(integerSchema({ ...RANGE, clamp: true }), 31)).toBe(true);
  });
});
