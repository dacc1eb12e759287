import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { defined } from '../lib/util/defined.js';
import type { Answer } from '../platform/http/answer.js';
import { DomainErrorFilter } from '../platform/http/domain-error.filter.js';
import type { ErrorReport } from '../platform/http/error-report.js';
import { answerError } from '../platform/http/protocols.js';
import { ErrorPages } from './error-pages.js';
import { errorText } from './error-texts.js';
import { ConfirmationNeeded } from './login/confirm/recent-login.guard.js';
import { InterruptedVisits } from './login/interrupted-visits.js';
import { FormOutdatedError, LoginNeededError } from './pages.errors.js';
import { Pages } from './pages.js';
import { ShownPage } from './template.js';
import { SecondFactorNeeded, SignInNeeded } from './visitors.js';

/** Shows the errors of web pages as error pages, or as JSON if a script sent the request. */
@Catch()
@Injectable()
export class PageErrorFilter extends DomainErrorFilter {
  constructor(
    private readonly pages: Pages,
    private readonly interrupted: InterruptedVisits,
    private readonly errors: ErrorPages,
  ) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    if (
      error instanceof SignInNeeded ||
      error instanceof SecondFactorNeeded ||
      error instanceof FormOutdatedError ||
      error instanceof ConfirmationNeeded
    ) {
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
    if (wantsJson(request)) {
      super.catch(error instanceof FormOutdatedError ? error : new LoginNeededError(), host);
      return;
    }
    const result = await this.pageAfter(error, request);
    if (result instanceof ShownPage) {
      this.pages.render(result, request, response).sendTo(response);
    } else if (result !== undefined) {
      result.sendTo(response);
    } else {
      // The form is from another site, or is of a kind that cannot be sent again after a login.
      super.catch(new FormOutdatedError(), host);
    }
  }

  /** Returns the page on which the person logs in, confirms the login, or sends the form again. */
  private pageAfter(error: Error, request: Request): Promise<ShownPage | Answer | undefined> {
    if (error instanceof ConfirmationNeeded) {
      return this.interrupted.askToConfirm(request, error.formPath);
    }
    if (error instanceof SecondFactorNeeded) {
      return Promise.resolve(this.interrupted.askForFactor(request));
    }
    return error instanceof SignInNeeded && request.method !== 'POST'
      ? this.interrupted.openAfterLogin(request)
      : this.interrupted.keepForm(request);
  }

  /** Returns the error with a text in the language of the person, because scripts show the error to this person. */
  private translated(error: ErrorReport, request: Request): ErrorReport {
    const { code, problems, retryAfterSeconds } = error;
    const text = this.pages.text(errorText(error), request);
    return {
      code,
      message: text,
      ...defined({ problems: problems && [text], retryAfterSeconds }),
    };
  }

  protected override answer(response: Response, error: ErrorReport, request: Request): void {
    if (wantsJson(request)) {
      answerError(response, this.translated(error, request), request.path);
      return;
    }
    void this.errors.show(error, request, response).catch((failure: unknown) => {
      request.log().error({ err: failure }, 'the error page failed');
      answerAsText(response);
    });
  }
}

/** Reports a failure without a template, because the error page itself has failed. */
function answerAsText(response: Response): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.status(500).type('text').send('The service failed. Its log has the details.');
}

/**
 * Returns true if a script sent the request and needs JSON instead of a page. If a person opens a page, the browser
 * prefers HTML.
 */
export const wantsJson = (request: Request): boolean =>
  request.accepts(['html', 'json']) === 'json';
