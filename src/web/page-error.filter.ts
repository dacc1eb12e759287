import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ERROR_CATALOGUE } from '../platform/common/error.catalogue.js';
import { DomainErrorFilter } from '../platform/http/domain-error.filter.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import { answerError } from '../platform/http/protocols.js';
import { message, plainText } from '../platform/i18n/message.js';
import { InterruptedVisits } from './login/interrupted-visits.js';
import { messagePage } from './message-page.js';
import { FormOutdatedError, LoginNeededError } from './pages.errors.js';
import { Pages } from './pages.js';
import { ShownPage } from './template.js';
import { SignInNeeded } from './visitors.js';

/** Shows the errors of web pages as error pages, or as JSON if a script sent the request. */
@Catch()
@Injectable()
export class PageErrorFilter extends DomainErrorFilter {
  constructor(
    private readonly pages: Pages,
    private readonly interrupted: InterruptedVisits,
  ) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    if (error instanceof SignInNeeded || error instanceof FormOutdatedError) {
      void this.interrupt(error, host).catch((failure: unknown) => {
        super.catch(failure, host);
      });
      return;
    }
    super.catch(error, host);
  }

  private async interrupt(error: Error, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const needsLogin = error instanceof SignInNeeded;
    if (wantsJson(request)) {
      super.catch(needsLogin ? new LoginNeededError() : error, host);
      return;
    }
    const result =
      needsLogin && request.method !== 'POST'
        ? await this.interrupted.openAfterLogin(request)
        : await this.interrupted.keepForm(request);
    if (result instanceof ShownPage) {
      this.pages.render(result, request, response).sendTo(response);
    } else if (result !== undefined) {
      result.sendTo(response);
    } else {
      // The form is from another site, or is of a kind that cannot be sent again after a login.
      super.catch(new FormOutdatedError(), host);
    }
  }

  protected override answer(response: Response, error: ErrorReport, request: Request): void {
    if (wantsJson(request)) {
      answerError(response, error, request.path);
      return;
    }
    const { status } = ERROR_CATALOGUE[error.code];
    const heading = message(`errors.headings.${status}`);
    const text = error.advice ?? plainText(error.message);
    const page = messagePage.page({ heading, text }, { status });
    this.pages.render(page, request, response).sendTo(response);
  }
}

/**
 * Returns true if a script sent the request and needs JSON instead of a page. If a person opens a page, the browser
 * prefers HTML.
 */
export const wantsJson = (request: Request): boolean =>
  request.accepts(['html', 'json']) === 'json';
