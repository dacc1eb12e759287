import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { HeadersTooLargeError, RequestTimeoutError } from '../common/common.errors.js';
import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport, errorReportOf } from './error-report.js';

/** What Node refuses by itself, by its names; all else is malformed. */
const REPORTS: Readonly<Record<string, ErrorReport>> = {
  HPE_HEADER_OVERFLOW: new HeadersTooLargeError(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorReportOf(Object.assign(new Error(), { status: 413 })),
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeoutError(),
};
const MALFORMED: ErrorReport = { code: 'bad_request', message: 'The request is not HTTP.' };

/** There is no request whose path could tell the dialect: the answer has what clients of either read. */
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

/** Answers what never becomes a request, as Node would have done without a body, and ends the connection. */
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

/** Node looks here too: a second status line in the middle of an answer would be taken for a part of it. */
function hasBegunToAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return (
    typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true
  );
}
