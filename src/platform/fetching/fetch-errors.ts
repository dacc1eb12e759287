import type { FailureReason } from './fetch-outcome.js';

interface Failure {
  readonly reason: FailureReason;
  readonly isTemporary: boolean;
}

const PERMANENT_STATUSES_FROM_500 = new Set([501, 505, 506, 508, 510]);
const TEMPORARY_STATUSES_BELOW_500 = new Set([408, 421, 423, 425, 429]);

type Row = readonly [codes: RegExp, reason: FailureReason, isTemporary: boolean];

/**
 * By the codes of Node, undici, llhttp, OpenSSL, zlib and brotli. The first row that fits counts. Assertions are those
 * of undici, which makes one about the status that a server sends: it is at least 100.
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

/** Why there is no response; undefined for an error that is not the network's. */
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

/** Of undici, which gives those of its own making no code. */
const isParserError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'HTTPParserError';

/** The code of a system error; empty when it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** A later attempt may get another status. */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 && status < 600
    ? !PERMANENT_STATUSES_FROM_500.has(status)
    : TEMPORARY_STATUSES_BELOW_500.has(status);

/** A connection that would have left the public internet. */
export class NotPublicError extends Error {
  constructor() {
    super('The address is not public.');
  }
}

/** A host name without a usable address. */
export class NameNotResolvedError extends Error {
  constructor(
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super('The name has no address.', { cause });
  }
}

/** A proxy that gives no connection. The message is safe for the log: it has no credentials. */
export class ProxyError extends Error {
  constructor(
    message: string,
    readonly code = 'EPROXY',
  ) {
    super(message);
  }
}

/** A response far longer than any page needs. */
export class ResponseTooLongError extends Error {
  constructor(what: string) {
    super(`The response has too many ${what}.`);
  }
}

/** A content-encoding that was not offered. */
export class UnknownEncodingError extends Error {
  constructor() {
    super('The content-encoding was not offered.');
  }
}

/** No page waits longer, whatever its host asks for. */
const MAX_SECONDS = 86_400;

/** The value of a Retry-After header, which is a number of seconds or an HTTP date; undefined when it is neither. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDateMs(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/** Date.parse alone would take "1.5" and "Monday 3" for dates. */
const httpDateMs = (text: string): number =>
  /^[a-z]{3,9},? .*\d\d:\d\d:\d\d/i.test(text) ? Date.parse(text) : NaN;
