import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

import { answerWallabagError } from '../../apis/wallabag/wire/wallabag-answers.js';
import { isWallabagPath } from '../../apis/wallabag/wire/wallabag-paths.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { isV3Path } from '../../pocket-api/v3-routes.js';
import { DomainError } from '../common/common.errors.js';
import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport, errorReportOf } from './error-report.js';

/** The only place where an error becomes a response (docs/errors.md); pages answer with pages. */
@Catch()
export class DomainErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const report = errorReportOf(error);
    if (error instanceof DomainError || isClientsMistake(report)) {
      request.log().debug({ code: report.code }, 'the request was refused');
    } else {
      request.log().error({ err: error, code: report.code }, 'the request failed');
    }
    if (response.headersSent) {
      response.end();
      return;
    }
    setHeaders(response, report);
    this.answer(response, report, request);
  }

  protected answer(response: Response, report: ErrorReport, { path }: Request): void {
    answerError(response, report, path);
  }
}

/** Also of what is refused where no filter reaches. */
export function answerError(response: Response, report: ErrorReport, path: string): void {
  if (isV3Path(path)) {
    answerV3(response, report);
    return;
  }
  if (isWallabagPath(path)) {
    answerWallabagError(response, report);
    return;
  }
  response.status(ERROR_CATALOGUE[report.code].status).json(accountErrorBody(report));
}

/** A value that only the database refuses has passed our own checks: the mistake is ours. */
const isClientsMistake = ({ code }: ErrorReport): boolean =>
  ERROR_CATALOGUE[code].status < 500 && code !== 'invalid_value';

/** Every 401 names a way to authenticate (RFC 9110 section 15.5.2). */
const CHALLENGE = 'Bearer realm="satchel"';

function setHeaders(response: Response, { code, retryAfterSeconds }: ErrorReport): void {
  if (retryAfterSeconds !== undefined) {
    response.set('Retry-After', String(retryAfterSeconds));
  }
  if (ERROR_CATALOGUE[code].status === 401) {
    response.set('WWW-Authenticate', CHALLENGE);
  }
}

function answerV3(response: Response, { code, message }: ErrorReport): void {
  const { status, xErrorCode } = ERROR_CATALOGUE[code];
  response.setHeader('x-error', headerText(message));
  response.setHeader('x-error-code', String(xErrorCode));
  sendV3(response, status, { status: 0, error: message, code: xErrorCode });
}

/** A header holds visible ASCII only (RFC 9110 section 5.5). */
const headerText = (message: string): string => message.replaceAll(/[^\x20-\x7e]/g, '?');
