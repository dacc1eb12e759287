import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { PasswordResets } from '../../auth/links/password-resets.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { RegistrationService } from '../../auth/registration.service.js';
import { defined } from '../../lib/util/defined.js';
import { textOf } from '../../platform/common/request-fields.js';
import { csrfTokenOf } from '../csrf.guard.js';
import { goTo, Pages } from '../pages.js';
import { type KeptForm, keptText } from './kept-form.js';
import { LoginWaysOfPages } from './login-ways.js';
import { type Onward, pathTo } from './onward.js';

interface LoginVisit {
  readonly request: Request;
  readonly response: Response;
  readonly onward: Onward;
  /** The form that the person filled in before the session ended. */
  readonly kept?: KeptForm | undefined;
  /** The reason why the person is not logged in. */
  readonly error?: string;
  readonly status?: number;
}

interface SignInVisit extends LoginVisit {
  readonly email?: string;
}

/** The flash messages, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['password', 'The password is changed. Log in with the new one.'],
  ['verified', 'The email address is confirmed. Log in now.'],
]);

/** The pages on which a person logs in before another page is opened, or before a form is sent that needs a session. */
@Injectable()
export class SignInPage {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly pages: Pages,
    private readonly registrations: RegistrationService,
    private readonly authorizations: AuthorizationsService,
    private readonly resets: PasswordResets,
    private readonly ways: LoginWaysOfPages,
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
      notice: NOTICES.get(textOf(request.query, 'done')),
      ways: await this.ways.of({ onward, isFormKept: kept !== undefined }),
      ...(await this.linksOf(onward, kept)),
      ...defined({ link, next, kept: kept && keptText(kept) }),
    };
    this.pages.show(response, 'sign-in', model, { status });
  }

  /** Shows the page that asks for the code of the second factor. */
  askForCode({ request, response, onward, ...visit }: LoginVisit): void {
    const { kept, error, status = 200 } = visit;
    const { link, next } = onward;
    const model = {
      csrfToken: csrfTokenOf(request),
      errors: error === undefined ? [] : [{ field: 'otp', text: error }],
      againHref: kept === undefined ? pathTo('/auth/login', onward) : undefined,
      ...defined({ link, next, kept: kept && keptText(kept) }),
    };
    this.pages.show(response, 'sign-in-code', model, { status });
  }

  /** Shows the page after a logout. The session at the issuer continues until the user also logs out there. */
  signedOut(response: Response, onward: Onward, issuerName: string | undefined): void {
    const againHref = pathTo('/auth/login', onward);
    if (issuerName === undefined) {
      goTo(response, againHref);
    } else {
      this.pages.show(response, 'signed-out', { issuerName, againHref });
    }
  }

  /**
   * Returns the links to other pages of the login. Returns no links if a form is kept, because the form would be lost
   * on another page.
   */
  private async linksOf(
    onward: Onward,
    kept: KeptForm | undefined,
  ): Promise<Record<'forgotHref' | 'registerHref', string | undefined>> {
    const isOpen = kept === undefined && (await this.registrations.isOpen());
    return {
      forgotHref: kept === undefined && this.resets.areMailed ? '/auth/forgot' : undefined,
      registerHref: isOpen ? pathTo('/auth/register', onward) : undefined,
    };
  }
}
