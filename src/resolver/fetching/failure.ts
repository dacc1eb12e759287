import { errors } from 'undici';

import { codeOf } from './dns-lookup.js';
import { AnswerTooLongError, NameNotResolvedError, UnknownEncodingError } from './fetch.errors.js';
import { type FailureReason } from './fetch-outcome.js';

export interface Failure {
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

/** Why there is no answer; undefined for a fault that is not the network's. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof NameNotResolvedError) {
    return { reason: 'name', isTemporary: error.isTemporary };
  }
  if (error instanceof AnswerTooLongError || error instanceof errors.HTTPParserError) {
    return { reason: 'protocol', isTemporary: false };
  }
  if (error instanceof UnknownEncodingError) {
    return { reason: 'encoding', isTemporary: false };
  }
  const code = codeOf(error);
  const row = BY_CODE.find(([codes]) => codes.test(code));
  return row === undefined ? undefined : { reason: row[1], isTemporary: row[2] };
}

/** A try later may meet another status. */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 && status < 600
    ? !PERMANENT_STATUSES_FROM_500.has(status)
    : TEMPORARY_STATUSES_BELOW_500.has(status);
