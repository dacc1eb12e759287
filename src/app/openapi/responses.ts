import { STATUS_CODES } from 'node:http';

import type {
  ContentObject,
  ExampleObject,
  ExamplesObject,
  HeaderObject,
  HeadersObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';

import { ERROR_CATALOGUE, type ErrorCode } from '../../platform/common/error.catalogue.js';
import type { ErrorDialect, Operation } from '../../platform/common/openapi.js';
import { ERROR_TEXTS } from './error-texts.js';

/** Returns all responses of an endpoint as pairs of a status and its description. */
export const answersOf = (operation: Operation): [status: number, ResponseObject][] => [
  [operation.answer.status, success(operation)],
  ...errorAnswers(operation.errors, operation.dialect),
  ...Object.entries(operation.pages ?? {}).map(([status, description]): [number, ResponseObject] =>
    pageAnswer(Number(status), description, operation.dialect),
  ),
];

const pageAnswer = (
  status: number,
  description: string,
  dialect: ErrorDialect,
): [number, ResponseObject] => [
  status,
  {
    description,
    headers: headersOfAll(dialect),
    ...(status >= 400 && { content: { 'text/html': { schema: { type: 'string' } } } }),
  },
];

function success(operation: Operation): ResponseObject {
  const { description, headers, content } = operation.answer;
  return {
    description,
    headers: { ...headersOfAll(operation.dialect), ...headers },
    ...(content && { content: withExamples(content, examplesOf(operation)) }),
  };
}

/**
 * The content type of the example responses. Other content types have no examples, because every
 * example is a JSON object.
 */
const JSON_TYPE = 'application/json';

const withExamples = (
  content: NonNullable<Operation['answer']['content']>,
  examples: ExamplesObject,
): ContentObject =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      {
        schema,
        ...(type === JSON_TYPE && Object.keys(examples).length > 0 && { examples }),
      },
    ]),
  );

/**
 * Returns the example responses of an endpoint. An example response has the name of its example request. If the request
 * needs no parameters, the name is the id of the operation.
 */
function examplesOf({ id, request, answer }: Operation): ExamplesObject {
  const examples: ExamplesObject = {};
  for (const [name, call] of Object.entries(request?.examples ?? {})) {
    if (call.answer !== undefined) {
      examples[`${id}.${name}`] = { summary: call.summary, value: call.answer };
    }
  }
  return answer.example === undefined ? examples : { [id]: { value: answer.example } };
}

const CODES = Object.keys(ERROR_CATALOGUE);

/** The schemas of the two formats of error responses (docs/api/errors.md). */
export const ERROR_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  AccountError: {
    type: 'object',
    description: 'An error of the account endpoints.',
    properties: {
      statusCode: { type: 'integer', description: 'The HTTP status.' },
      error: { type: 'string', description: 'The name of the HTTP status.' },
      message: {
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'The error message, or a list of messages if the request has several errors.',
      },
      code: {
        enum: CODES,
        description: 'The error code. Codes never change, but messages can change.',
      },
    },
    required: ['statusCode', 'error', 'message', 'code'],
  },
  V3Error: {
    type: 'object',
    description: 'An error of the reading-list endpoints.',
    properties: {
      status: { const: 0 },
      error: { type: 'string', description: 'The error message, as in `X-Error`.' },
      code: { type: 'integer', description: 'The error number, as in `X-Error-Code`.' },
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

/** Returns one response for each error status. The description of a response explains all errors with its status. */
function errorAnswers(
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

const limitHeader = (description: string): HeaderObject => ({
  description,
  schema: { type: 'string', pattern: String.raw`^\d+$` },
});

/** The descriptions of response headers. The keys are the names of the headers in `components` of the API document. */
export const HEADERS = {
  RequestId: {
    description: 'The id of the call. The log of the service contains the same id.',
    schema: { type: 'string', format: 'uuid' },
  },
  CacheControl: {
    description: 'Caches must not store the answer.',
    schema: { const: 'no-store' },
  },
  Source: {
    description: 'Always `Pocket`. Pocket clients reject an answer without this header.',
    schema: { const: 'Pocket' },
  },
  ErrorText: {
    description: 'The error message of the body, in visible ASCII.',
    schema: { type: 'string' },
  },
  ErrorCode: {
    description: 'The error number of the body.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
  },
  Challenge: {
    description: 'The authentication scheme of the service.',
    schema: { type: 'string' },
  },
  UserLimit: limitHeader(
    'The number of calls that the user can make in a window of one hour, across all applications.',
  ),
  UserRemaining: limitHeader(
    'The number of calls that the user has left in the window. The actual number can be higher.',
  ),
  UserReset: limitHeader('The number of seconds until the window of the user ends.'),
  KeyLimit: limitHeader(
    'The number of calls that the consumer key can make in a window of one hour, across all users.',
  ),
  KeyRemaining: limitHeader(
    'The number of calls that the consumer key has left in the window. The actual number can be higher.',
  ),
  KeyReset: limitHeader('The number of seconds until the window of the consumer key ends.'),
  RetryAfter: {
    description: 'The number of seconds to wait before a retry.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

const header = (name: keyof typeof HEADERS): ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

/** The six headers with call limits. Each v3 response contains all six, because clients expect them together. */
const LIMIT_HEADERS: HeadersObject = {
  'X-Limit-User-Limit': header('UserLimit'),
  'X-Limit-User-Remaining': header('UserRemaining'),
  'X-Limit-User-Reset': header('UserReset'),
  'X-Limit-Key-Limit': header('KeyLimit'),
  'X-Limit-Key-Remaining': header('KeyRemaining'),
  'X-Limit-Key-Reset': header('KeyReset'),
};

/** Describes the headers of all responses, with and without an error. */
const headersOfAll = (dialect: ErrorDialect): HeadersObject => ({
  'X-Request-Id': header('RequestId'),
  'Cache-Control': header('CacheControl'),
  ...(dialect === 'v3' && { 'X-Source': header('Source'), ...LIMIT_HEADERS }),
});

const headersOfError = (dialect: ErrorDialect, status: number): HeadersObject => ({
  ...headersOfAll(dialect),
  ...(dialect === 'v3' && { 'X-Error': header('ErrorText'), 'X-Error-Code': header('ErrorCode') }),
  ...(status === 401 && { 'WWW-Authenticate': header('Challenge') }),
  ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
});
