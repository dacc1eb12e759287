import type { HeaderObject, HeadersObject, ReferenceObject } from 'openapi3-ts/oas31';

import type { ErrorDialect } from '../common/openapi/operation.js';

const limitHeader = (description: string): HeaderObject => ({
  description,
  schema: { type: 'string', pattern: String.raw`^\d+$` },
});

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
  UserLimit: limitHeader(
    'How many calls the user has in a window of an hour, over all applications.',
  ),
  UserRemaining: limitHeader('How many of them are left at least.'),
  UserReset: limitHeader('Seconds until the window of the user ends.'),
  KeyLimit: limitHeader(
    'How many calls the consumer key has in a window of an hour, for all users.',
  ),
  KeyRemaining: limitHeader('How many of them are left at least.'),
  KeyReset: limitHeader('Seconds until the window of the consumer key ends.'),
  RetryAfter: {
    description: 'Seconds after which the same call may succeed.',
    schema: { type: 'string', pattern: String.raw`^\d+$` },
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

const header = (name: keyof typeof HEADERS): ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

/** All six or none: clients that read one read all. */
const LIMIT_HEADERS: HeadersObject = {
  'X-Limit-User-Limit': header('UserLimit'),
  'X-Limit-User-Remaining': header('UserRemaining'),
  'X-Limit-User-Reset': header('UserReset'),
  'X-Limit-Key-Limit': header('KeyLimit'),
  'X-Limit-Key-Remaining': header('KeyRemaining'),
  'X-Limit-Key-Reset': header('KeyReset'),
};

/** What every answer has. */
export const headersOfAll = (dialect: ErrorDialect): HeadersObject => ({
  'X-Request-Id': header('RequestId'),
  'Cache-Control': header('CacheControl'),
  ...(dialect === 'v3' && { 'X-Source': header('Source'), ...LIMIT_HEADERS }),
});

export const headersOfError = (dialect: ErrorDialect, status: number): HeadersObject => ({
  ...headersOfAll(dialect),
  ...(dialect === 'v3' && { 'X-Error': header('ErrorText'), 'X-Error-Code': header('ErrorCode') }),
  ...(status === 401 && { 'WWW-Authenticate': header('Challenge') }),
  ...((status === 429 || status === 503) && { 'Retry-After': header('RetryAfter') }),
});
