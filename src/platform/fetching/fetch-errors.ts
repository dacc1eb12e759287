import type { FailureReason } from './fetch-outcome.js';

interface Failure {
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
}

const PERMANENT_STATUSES_FROM_500 = new Set([501, 505, 506, 508, 510]);
const TEMPORARY_STATUSES_BELOW_500 = new Set([408, 421, 423, 425, 429]);

type Row = readonly [codes: RegExp, reason: FailureReason, isTemporary: boolean];

/**
 * Maps error codes of Node, undici, llhttp, OpenSSL, zlib and brotli to the reason of a failed fetch. The first
 * matching row applies. undici throws ERR_ASSERTION for a response with a status below 100.
 */
const BY_CODE: readonly Row[] = [
  [/^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/, 'timeout', true],
  [
    /^HPE_|^ERR_ASSERTION$|^UND_ERR_(?:HEADERS_OVERFLOW|RES_EXCEEDED|NOT_SUPPORTED|INVALID)/,
    'protocol',
    false,
  ],
  [/^(?:Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_)/, 'encoding', false],
  [/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|EPROTO)/, 'tls', false],
  [/^(?:E[A-Z]+|UND_ERR_.+|ERR_STREAM.+)$/, 'connection', true],
];

/**
 * Returns the reason of a failed fetch, and whether a retry may succeed. Returns undefined if the error does not come
 * from the network.
 */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof NameNotResolvedError) {
    return { reason: 'name', isTemporary: error.isTemporary };
  }
  if (error instanceof ResponseTooLongError || isParserError(error)) {
    return { reason: 'protocol', isTemporary: false };
  }
  if (error instanceof UnknownEncodingError) {
    return { reason: 'encoding', isTemporary: false };
  }
  const code = codeOf(error);
  const row = BY_CODE.find(([codes]) => codes.test(code));
  return row === undefined ? undefined : { reason: row[1], isTemporary: row[2] };
}

/** Returns true for parser errors of undici, which have no error code of their own. */
const isParserError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'HTTPParserError';

/** Returns the code of a system error, or an empty string if the error has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** Returns true if a later request for the same page may succeed. */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 && status < 600
    ? !PERMANENT_STATUSES_FROM_500.has(status)
    : TEMPORARY_STATUSES_BELOW_500.has(status);

/** The target host of a request is not on the public internet. */
export class NotPublicError extends Error {
  constructor() {
    super('The address is not public.');
  }
}

/** The name of the host could not be resolved to an IP address. */
export class NameNotResolvedError extends Error {
  constructor(
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super('The name has no address.', { cause });
  }
}

/** A proxy could not connect to the host. The message contains no credentials, so it may be logged. */
export class ProxyError extends Error {
  constructor(
    message: string,
    readonly code = 'EPROXY',
  ) {
    super(message);
  }
}

/** The response is far longer than any page needs. */
export class ResponseTooLongError extends Error {
  constructor(what: string) {
    super(`The response has too many ${what}.`);
  }
}

/** The response has an encoding that the request did not offer. */
export class UnknownEncodingError extends Error {
  constructor() {
    super('The content-encoding was not offered.');
  }
}

/** The maximum pause in seconds that a server can request with a Retry-After header. */
const MAX_SECONDS = 86_400;

/**
 * Returns the number of seconds to wait before a retry. The Retry-After header contains a number of seconds or an HTTP
 * date. Returns undefined for any other value.
 */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDateMs(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/**
 * Parses an HTTP date. Checks the text with a pattern first, because `Date.parse` also accepts texts such as "1.5" and
 * "Monday 3".
 */
const httpDateMs = (text: string): number =>
  /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i.test(text) ? Date.parse(text) : NaN;
