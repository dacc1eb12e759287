import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidInvitationError, RegistrationClosedError } from '../../../auth/auth.errors.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { RegistrationService } from '../../../auth/registration.service.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { messagePage } from '../../message-page.js';
import { type ShownPage, Template } from '../../template.js';
import { type LoginWays, LoginWaysOfPages } from '../login-ways.js';
import { type Onward, type OnwardFields, pathTo } from '../onward.js';

interface RegistrationVisit {
  readonly request: Request;
  readonly onward: Onward;
  readonly errors?: readonly FormError[];
  readonly status?: number;
}

interface RegistrationModel extends OnwardFields {
  /** The application that will ask for access after the registration. */
  readonly applicationName: string | undefined;
  /** The token of the invitation. Empty if there is no invitation. */
  readonly invitation: string;
  /** True if the service has no account yet. The first account becomes an administrator. */
  readonly isFirst: boolean;
  readonly ways: LoginWays;
  readonly name: string;
  readonly email: string;
  readonly errors: readonly FormError[];
  readonly signInHref: string;
}

const registrationForm = new Template<RegistrationModel>('login/registration/registration');

/**
 * The page on which a person creates an account. After an error, the form contains the typed values except the
 * password.
 */
@Injectable()
export class RegistrationPage {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly authorizations: AuthorizationsService,
    private readonly ways: LoginWaysOfPages,
  ) {}

  async show(visit: RegistrationVisit): Promise<ShownPage> {
    const { request, onward, status = 200 } = visit;
    const fields: unknown = request.method === 'POST' ? request.body : request.query;
    const refusal = await this.refusalOf(textOf(fields, 'invitation'));
    if (refusal === undefined) {
      const model = await this.modelOf(visit, fields);
      return registrationForm.page(model, { status, hasSecretAddress: model.invitation !== '' });
    }
    const heading = message('registration.refused');
    const action = { href: pathTo('/auth/login', onward), label: message('registration.logIn') };
    return messagePage.page({ heading, text: refusal.advice, action }, { status: 403 });
  }

  private async modelOf(
    { onward, errors = [] }: RegistrationVisit,
    fields: unknown,
  ): Promise<RegistrationModel> {
    const { link, next } = onward;
    const invitation = textOf(fields, 'invitation');
    const invited = await this.registrations.findInvitation(invitation);
    return {
      link,
      next,
      invitation,
      ways: await this.ways.of({ onward, invitation }),
      isFirst: await this.registrations.hasNoUser(),
      applicationName:
        link && (await this.authorizations.find(link.requestToken))?.application.name,
      name: textOf(fields, 'name'),
      email: textOf(fields, 'email') || (invited?.email ?? ''),
      errors,
      signInHref: pathTo('/auth/login', onward),
    };
  }

  /**
   * Returns the error that explains why the visitor is not allowed to create an account: the registration is closed, or
   * the invitation is invalid. Returns undefined if the visitor is allowed to create an account.
   */
  private async refusalOf(
    invitation: string,
  ): Promise<InvalidInvitationError | RegistrationClosedError | undefined> {
    try {
      await this.registrations.requireAdmission(invitation);
      return undefined;
    } catch (error) {
      if (isRefusal(error)) {
        return error;
      }
      throw error;
    }
  }
}

/** Returns true if the error means that the visitor is not allowed to create an account. */
export const isRefusal = (
  error: unknown,
): error is InvalidInvitationError | RegistrationClosedError =>
  error instanceof RegistrationClosedError || error instanceof InvalidInvitationError;
