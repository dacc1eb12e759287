import { STATUS_CODES } from 'node:http';

import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { ERROR_CATALOGUE } from '../common/error.catalogue.js';
import { DomainErrorFilter } from '../common/http/domain-error.filter.js';
import type { ErrorReport } from '../common/http/error-report.js';
import { goTo, Pages } from './pages.js';
import { SignInNeeded } from './visitors.js';

/** Answers what goes wrong on a page with a page. */
@Catch()
@Injectable()
export class PageErrorFilter extends DomainErrorFilter {
  constructor(private readonly pages: Pages) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    if (error instanceof SignInNeeded) {
      goTo(host.switchToHttp().getResponse<Response>(), '/auth/login');
      return;
    }
    super.catch(error, host);
  }

  protected override answer(response: Response, error: ErrorReport): void {
    const { status } = ERROR_CATALOGUE[error.code];
    const heading = STATUS_CODES[status] ?? 'Something went wrong';
    this.pages.show(response, 'message', { heading, text: error.message }, { status });
  }
}
