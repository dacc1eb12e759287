import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { RequestTimeoutError } from '../common/common.errors.js';
import { withoutSlash } from './at-path.js';
import type { ErrorReport } from './error-report.js';
import { answerError } from './protocols.js';
import { innerUrlOf } from './sub-path.js';

const WHOLE_BODY_MS = 15_000;

/**
 * Rejects request bodies that arrive too slowly, because a slow body occupies a connection for a long time. File
 * uploads are exempt, because a large file may need a long time.
 */
export function bodyDeadline(
  uploadPaths: readonly string[],
  wholeBodyMs = WHOLE_BODY_MS,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isUpload = uploadPaths.includes(withoutSlash(request.path)) && hasFile(request);
    if (!request.complete && hasBody(request) && !isUpload) {
      const waiting = setTimeout(() => {
        endUnlessComplete(request, response);
      }, wholeBodyMs).unref();
      request.once('end', () => {
        clearTimeout(waiting);
      });
    }
    next();
  };
}

const hasBody = ({ headers }: Request): boolean =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;

const hasFile = (request: Request): boolean => Boolean(request.is('multipart/form-data'));

function endUnlessComplete(request: Request, response: Response): void {
  if (!request.complete) {
    refuseUnread(request, response, new RequestTimeoutError());
  }
}

/** Sends an error response without reading the rest of the request body, and closes the connection. */
export function refuseUnread(request: Request, response: Response, report: ErrorReport): void {
  if (!response.headersSent) {
    response.set('Connection', 'close');
    if (report.retryAfterSeconds !== undefined) {
      response.set('Retry-After', String(report.retryAfterSeconds));
    }
    answerError(response, report, innerUrlOf(request).split('?', 1).join(''));
  }
  request.socket.destroySoon();
}
