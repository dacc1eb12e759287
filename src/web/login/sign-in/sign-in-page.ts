import { Injectable } from '@nestjs/common';

import { PasswordResets } from '../../../auth/links/password-resets.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { RegistrationService } from '../../../auth/registration.service.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { type LoginVisit, onwardFieldsOf } from '../login-visit.js';
import { type LoginWays, LoginWaysOfPages } from '../login-ways.js';
import { type OnwardFields, pathTo } from '../onward.js';

interface SignInVisit extends LoginVisit {
  readonly email?: string;
  readonly notice?: Message | undefined;
  /** The message that explains why the person must log in, or why the login failed. */
  readonly error?: Message;
  readonly status?: number;
}

interface Links {
  /** The link to the page for a forgotten password. Undefined if no mail can be sent. */
  readonly forgotHref: string | undefined;
  /** The link to the registration page. Undefined if the visitor cannot create an account. */
  readonly registerHref: string | undefined;
}

interface SignInModel extends OnwardFields, Links {
  readonly applicationName: string | undefined;
  readonly email: string;
  readonly errors: readonly FormError[];
  /**
   * True if a person sent a form after the session had ended. The login pages keep this form until the person has
   * logged in.
   */
  readonly isInterrupted: boolean;
  readonly notice: Message | undefined;
  readonly ways: LoginWays;
}

const signInPage = new Template<SignInModel>('login/sign-in/sign-in', { kind: 'login' });

/**
 * The login page. After the login, the person continues with the page that was opened or the form that was sent without
 * a session.
 */
@Injectable()
export class SignInPage {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly authorizations: AuthorizationsService,
    private readonly resets: PasswordResets,
    private readonly ways: LoginWaysOfPages,
  ) {}

  async show(visit: SignInVisit): Promise<ShownPage> {
    const { onward, kept, email = '', notice, error, status = 200 } = visit;
    const { link } = onward;
    const ways = await this.ways.of({ onward, isFormKept: kept !== undefined });
    const model = {
      applicationName:
        link && (await this.authorizations.find(link.requestToken))?.application.name,
      email,
      errors: error === undefined ? [] : [{ field: ways.byPassword ? 'email' : '', text: error }],
      isInterrupted: kept !== undefined,
      notice,
      ways,
      ...(await this.linksOf(visit)),
      ...onwardFieldsOf(visit),
    };
    return signInPage.page(model, { status });
  }

  /**
   * Returns the links to the pages for a forgotten password and for registration. Returns no links
   * if the login page contains a form to send after the login, because the linked pages would lose
   * this form.
   */
  private async linksOf({ onward, kept }: LoginVisit): Promise<Links> {
    const isOpen = kept === undefined && (await this.registrations.isOpen());
    return {
      forgotHref: kept === undefined && this.resets.areMailed ? '/auth/forgot' : undefined,
      registerHref: isOpen ? pathTo('/auth/register', onward) : undefined,
    };
  }
}
