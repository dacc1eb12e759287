import { STATUS_CODES } from 'node:http';

import type { ExampleObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';

import { ERROR_CATALOGUE, type ErrorCode } from '../common/error.catalogue.js';
import type { ErrorDialect } from '../common/openapi/operation.js';
import { ERROR_TEXTS } from './error-texts.js';
import { headersOfError } from './headers.js';

const CODES = Object.keys(ERROR_CATALOGUE);

/** The two shapes of an error (docs/errors.md). */
export const ERROR_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  AccountError: {
    type: 'object',
    description: 'An error of the account endpoints.',
    properties: {
      statusCode: { type: 'integer', description: 'The HTTP status.' },
      error: { type: 'string', description: 'The name of the status.' },
      message: {
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'A sentence, or one for each fault.',
      },
      code: { enum: CODES, description: 'Stable; sentences are not.' },
    },
    required: ['statusCode', 'error', 'message', 'code'],
  },
  V3Error: {
    type: 'object',
    description: 'An error of the reading-list endpoints.',
    properties: {
      status: { const: 0 },
      error: { type: 'string', description: 'A sentence, as in `X-Error`.' },
      code: { type: 'integer', description: 'The number of the error, as in `X-Error-Code`.' },
    },
    required: ['status', 'error', 'code'],
  },
};

interface Shape {
  readonly narrowed: (codes: readonly ErrorCode[]) => SchemaObject;
  readonly example: (code: ErrorCode) => object;
}

const numberOf = (code: ErrorCode): number => ERROR_CATALOGUE[code].xErrorCode;

const SHAPES: Readonly<Record<ErrorDialect, Shape>> = {
  account: {
    narrowed: (codes) => narrowed('AccountError', codes),
    example: (code) => {
      const { status } = ERROR_CATALOGUE[code];
      const message = ERROR_TEXTS[code].sentence;
      return { statusCode: status, error: STATUS_CODES[status], message, code };
    },
  },
  v3: {
    narrowed: (codes) => narrowed('V3Error', [...new Set(codes.map(numberOf))]),
    example: (code) => ({ status: 0, error: ERROR_TEXTS[code].sentence, code: numberOf(code) }),
  },
};

const narrowed = (name: string, codes: readonly (string | number)[]): SchemaObject => ({
  allOf: [{ $ref: `#/components/schemas/${name}` }],
  properties: { code: { enum: [...codes] } },
});

/** One answer for each status, with what the errors of that status mean. */
export function errorAnswers(
  codes: readonly ErrorCode[],
  dialect: ErrorDialect,
): [status: number, ResponseObject][] {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))];
  return statuses
    .sort((one, other) => one - other)
    .map((status) => {
      const ofStatus = codes.filter((code) => ERROR_CATALOGUE[code].status === status);
      return [status, answer(status, ofStatus, dialect)];
    });
}

const answer = (
  status: number,
  codes: readonly ErrorCode[],
  dialect: ErrorDialect,
): ResponseObject => ({
  description: `${STATUS_CODES[status] ?? ''}\n\n${codes.map(line).join('\n')}`,
  headers: headersOfError(dialect, status),
  content: {
    'application/json': {
      schema: SHAPES[dialect].narrowed(codes),
      examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, dialect)])),
    },
  },
});

const line = (code: ErrorCode): string =>
  `- \`${code}\` (${numberOf(code)}): ${ERROR_TEXTS[code].meaning}`;

const exampleOf = (code: ErrorCode, dialect: ErrorDialect): ExampleObject => ({
  value: SHAPES[dialect].example(code),
});
