import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

import { DomainError } from '../common/common.errors.js';
import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { type ErrorReport, errorReportOf } from './error-report.js';
import { answerError } from './protocols.js';

/**
 * Converts all errors of API calls to responses (docs/api/errors.md). A subclass renders the error pages of the web UI.
 */
@Catch()
export class DomainErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const report = errorReportOf(error);
    request.errorCode = report.code;
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

/**
 * Returns true if the client caused the error. The code `invalid_value` is an error of the service: the service
 * accepted a value that the database then rejected.
 */
const isClientsMistake = ({ code }: ErrorReport): boolean =>
  ERROR_CATALOGUE[code].status < 500 && code !== 'invalid_value';

/** The value of the WWW-Authenticate header, which every 401 response must have (RFC 9110 section 15.5.2). */
const CHALLENGE = 'Bearer realm="satchel"';

function setHeaders(response: Response, { code, retryAfterSeconds }: ErrorReport): void {
  if (retryAfterSeconds !== undefined) {
    response.set('Retry-After', String(retryAfterSeconds));
  }
  if (ERROR_CATALOGUE[code].status === 401) {
    response.set('WWW-Authenticate', CHALLENGE);
  }
}
