import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { ERROR_CATALOGUE } from '../../../common/error.catalogue.js';
import { accountErrorBody, type ErrorReport } from '../../../common/http/error-report.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { SignInNeeded } from '../../visitors.js';

/** True for a script, which asks for JSON; a browser names HTML first. */
export const wantsJson = (request: Request): boolean =>
  request.accepts(['html', 'json']) === 'json';

/** Answers scripts with JSON, and people with a page. */
@Catch()
@Injectable()
export class ActionErrorFilter extends PageErrorFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    const isExpired = error instanceof SignInNeeded;
    const isScript = wantsJson(host.switchToHttp().getRequest<Request>());
    super.catch(isExpired && isScript ? new InvalidCredentialsError() : error, host);
  }

  protected override answer(response: Response, error: ErrorReport): void {
    if (wantsJson(response.req)) {
      response.status(ERROR_CATALOGUE[error.code].status).json(accountErrorBody(error));
      return;
    }
    super.answer(response, error);
  }
}
