import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

import { DomainError } from '../domain.error.js';
import { ERROR_CATALOGUE } from '../error.catalogue.js';
import { accountError } from './account-error.js';
import { type Fault, faultOf } from './fault.js';
import { isV3Path } from './is-v3-path.js';
import { sendWire } from './send-wire.js';

/** The only place where an error becomes a response (docs/errors.md); pages answer with pages. */
@Catch()
export class DomainErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const fault = faultOf(error);
    if (error instanceof DomainError || isClientsMistake(fault)) {
      request.log.debug({ code: fault.code }, 'the request was refused');
    } else {
      request.log.error({ err: error, code: fault.code }, 'the request failed');
    }
    if (response.headersSent) {
      response.end();
      return;
    }
    setHeaders(response, fault);
    this.answer(response, fault, request);
  }

  protected answer(response: Response, fault: Fault, { path }: Request): void {
    answerFault(response, fault, path);
  }
}

/** Also of what is refused where no filter reaches. */
export function answerFault(response: Response, fault: Fault, path: string): void {
  if (isV3Path(path)) {
    answerV3(response, fault);
    return;
  }
  response.status(ERROR_CATALOGUE[fault.code].status).json(accountError(fault));
}

/** A value that only the database refuses has passed our own checks: that is a fault of ours to mend. */
const isClientsMistake = ({ code }: Fault): boolean =>
  ERROR_CATALOGUE[code].status < 500 && code !== 'invalid_value';

/** Every 401 names a way to authenticate (RFC 9110 section 15.5.2). */
const CHALLENGE = 'Bearer realm="satchel"';

function setHeaders(response: Response, { code, retryAfterSeconds }: Fault): void {
  if (retryAfterSeconds !== undefined) {
    response.set('Retry-After', String(retryAfterSeconds));
  }
  if (ERROR_CATALOGUE[code].status === 401) {
    response.set('WWW-Authenticate', CHALLENGE);
  }
}

function answerV3(response: Response, { code, message }: Fault): void {
  const { status, xErrorCode } = ERROR_CATALOGUE[code];
  response.setHeader('x-error', headerText(message));
  response.setHeader('x-error-code', String(xErrorCode));
  sendWire(response, status, { status: 0, error: message, code: xErrorCode });
}

/** A header holds visible ASCII only (RFC 9110 section 5.5). */
const headerText = (message: string): string => message.replaceAll(/[^\x20-\x7e]/g, '?');
