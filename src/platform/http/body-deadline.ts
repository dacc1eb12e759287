import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { RequestTimeoutError } from '../common/common.errors.js';
import { withoutSlash } from './at-path.js';
import type { ErrorReport } from './error-report.js';
import { answerError } from './protocols.js';
import { innerUrlOf } from './sub-path.js';

const WHOLE_BODY_MS = 15_000;

/** Cuts off who sends a body so slowly that it only holds a connection, but for files, which take their time. */
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

/** Answers a request whose body is not read to its end, which ends the connection. */
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
