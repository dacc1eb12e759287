import type { HeaderObject, HeadersObject, ReferenceObject } from 'openapi3-ts/oas31';

import type { ErrorDialect } from '../common/openapi/operation.js';

/** The headers by the names that the document refers to them by. */
export const HEADERS = {
  RequestId: {
    description: 'The id of the call, which the log of the service names too.',
    schema: { type: 'string', format: 'uuid' },
  },
  CacheControl: {
    description: 'Nothing is to be kept by caches.',
    schema: { const: 'no-store' },
  },
  Source: {
    description: 'Clients of the original take an answer without it for somebody else’s.',
    schema: { const: 'Pocket' },
  },
  ErrorText: {
    description: 'The sentence of the body, in visible ASCII.',
    schema: { type: 'string' },
  },
  ErrorCode: {
    description: 'The number of the body.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
  },
  Challenge: {
    description: 'How to authenticate.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same call may succeed.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

const header = (name: keyof typeof HEADERS): ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

/** What every answer has. */
export const headersOfAll = (dialect: ErrorDialect): HeadersObject => ({
  'X-Request-Id': header('RequestId'),
  'Cache-Control': header('CacheControl'),
  ...(dialect === 'v3' && { 'X-Source': header('Source') }),
});

export const headersOfError = (dialect: ErrorDialect, status: number): HeadersObject => ({
  ...headersOfAll(dialect),
  ...(dialect === 'v3' && { 'X-Error': header('ErrorText'), 'X-Error-Code': header('ErrorCode') }),
  ...(status === 401 && { 'WWW-Authenticate': header('Challenge') }),
  ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
});
