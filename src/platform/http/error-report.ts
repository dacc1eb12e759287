import { STATUS_CODES } from 'node:http';

import { HttpException } from '@nestjs/common';

import { DomainError } from '../common/common.errors.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../common/error.catalogue.js';
import { databaseErrorCode, isDiskFull } from '../database/database.errors.js';
import { type Message, message } from '../i18n/message.js';

/** The information that a client receives about an error: a code, a sentence, and the seconds until a retry. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly message: string;
  readonly problems?: readonly string[];
  /** The sentence that a page of the web UI shows instead of `message`. */
  readonly advice?: Message;
  readonly retryAfterSeconds?: number;
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  bad_request: 'The request is malformed.',
  malformed_body: 'The body is not valid JSON.',
  not_found: 'There is nothing at this address.',
  body_too_large: 'The body is too large.',
  unsupported_media_type: 'The body has an encoding that is not supported.',
  invalid_value: 'A value is out of the range that can be stored.',
  service_busy: 'The service is busy: try again in a moment.',
  database_unavailable: 'The service cannot reach its database: try again in a moment.',
};

const DISK_FULL: Pick<ErrorReport, 'message' | 'advice'> = {
  message:
    'The disk of the service is full: nothing can be saved until its administrator frees space.',
  advice: message('errors.diskFull'),
};

/**
 * Returns the error code for a full disk, or undefined for other errors. The disk can become full while the file of an
 * upload or an export is written.
 */
const codeOfFullDisk = (error: unknown): ErrorCode | undefined =>
  isDiskFull(error) ? 'service_busy' : undefined;

/**
 * Converts an error to the information for the client. Unknown errors become `internal_error`, and their text appears
 * only in the log.
 */
export function errorReportOf(error: unknown): ErrorReport {
  if (error instanceof DomainError) {
    return error;
  }
  const code =
    codeOfHttpError(error) ?? databaseErrorCode(error) ?? codeOfFullDisk(error) ?? 'internal_error';
  return {
    code,
    message:
      SENTENCES[code] ?? 'The service failed; the log has the details under this request id.',
    ...(isDiskFull(error) && DISK_FULL),
    ...(ERROR_CATALOGUE[code].status === 503 && { retryAfterSeconds: 1 }),
  };
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_body',
  404: 'not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/**
 * Returns the error code for an error with an HTTP status, such as an HttpException of Nest or an error of Express
 * middleware. Returns undefined unless the status is a client error (4xx).
 */
function codeOfHttpError(error: unknown): ErrorCode | undefined {
  const status = statusOf(error);
  if (status === undefined || status < 400 || status >= 500) {
    return undefined;
  }
  // Express throws a URIError if a path has invalid percent-encoding.
  return error instanceof URIError ? 'bad_request' : (CODE_OF_STATUS[status] ?? 'bad_request');
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) {
    return error.getStatus();
  }
  const isMiddlewareError = error instanceof Error && 'status' in error;
  return isMiddlewareError && typeof error.status === 'number' ? error.status : undefined;
}

/**
 * Returns the body of an error response in the default format. The v3 API and the wallabag API have formats of their
 * own (docs/api/errors.md).
 */
export function accountErrorBody({ code, message, problems }: ErrorReport): object {
  const { status } = ERROR_CATALOGUE[code];
  return { statusCode: status, error: STATUS_CODES[status], message: problems ?? message, code };
}
