import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { HeadersTooLargeError, RequestTimeoutError } from '../common/common.errors.js';
import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport, errorReportOf } from './error-report.js';

/**
 * The responses for errors that Node detects before a request reaches a handler, keyed by Node's error code. Errors
 * with any other code mean a malformed request.
 */
const REPORTS: Readonly<Record<string, ErrorReport>> = {
  HPE_HEADER_OVERFLOW: new HeadersTooLargeError(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorReportOf(Object.assign(new Error(), { status: 413 })),
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeoutError(),
};
const MALFORMED: ErrorReport = { code: 'bad_request', message: 'The request is not HTTP.' };

/**
 * The headers of the error response. They are valid for every API, because the service has not parsed the path and
 * therefore does not know which API the client called.
 */
const HEADERS = [
  'Connection: close',
  'Content-Type: application/json; charset=utf-8',
  'Cache-Control: no-store',
  `Content-Security-Policy: default-src 'none';frame-ancestors 'none'`,
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: no-referrer',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: DENY',
  'x-source: Pocket',
];

/**
 * Sends an error response to data that is not an HTTP request, and closes the connection. Node's default response has
 * no body.
 */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (socket.writable && !hasBegunToAnswer(socket)) {
    socket.write(answerTo(REPORTS[error.code ?? ''] ?? MALFORMED));
  }
  socket.destroy();
}

function answerTo(report: ErrorReport): string {
  const { status, xErrorCode } = ERROR_CATALOGUE[report.code];
  const body = JSON.stringify(accountErrorBody(report));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...HEADERS,
    `x-error: ${report.message}`,
    `x-error-code: ${xErrorCode}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/**
 * Returns true if Node has begun to send a response on the connection. The client would then read an error response as
 * a part of the begun response. The code reads the same internal field that Node checks.
 */
function hasBegunToAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return (
    typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true
  );
}
