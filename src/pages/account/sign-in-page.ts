import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { defined } from '../../common/defined.js';
import { AuthorizationsService } from '../../oauth/authorizations.service.js';
import { csrfTokenOf } from '../csrf.guard.js';
import { Pages } from '../pages.js';
import { type KeptForm, keptText } from './kept-form.js';
import { type Onward, pathTo } from './onward.js';

interface SignInVisit {
  readonly request: Request;
  readonly response: Response;
  readonly onward: Onward;
  /** What was typed before the session ended. */
  readonly kept?: KeptForm | undefined;
  readonly email?: string;
  /** Why the person is not logged in. */
  readonly error?: string;
  readonly status?: number;
}

/** The page on which a person logs in: on the way to another page, or where a form came too late. */
@Injectable()
export class SignInPage {
  constructor(
    private readonly pages: Pages,
    private readonly authorizations: AuthorizationsService,
  ) {}

  async show({ request, response, onward, ...visit }: SignInVisit): Promise<void> {
    const { kept, email = '', error, status = 200 } = visit;
    const { link, next } = onward;
    const model = {
      csrfToken: csrfTokenOf(request),
      applicationName:
        link && (await this.authorizations.find(link.requestToken))?.application.name,
      email,
      errors: error === undefined ? [] : [{ field: '', text: error }],
      isInterrupted: kept !== undefined,
      // A link would lose the form, and its sender has an account.
      registerHref: kept === undefined ? pathTo('/auth/register', onward) : undefined,
      ...defined({ link, next, kept: kept && keptText(kept) }),
    };
    this.pages.show(response, 'sign-in', model, { status });
  }
}
