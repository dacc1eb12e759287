import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { InvalidInvitationError, RegistrationClosedError } from '../../auth/auth.errors.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { RegistrationService } from '../../auth/registration.service.js';
import { textOf } from '../../platform/common/request-fields.js';
import { csrfTokenOf } from '../csrf.guard.js';
import { Pages } from '../pages.js';
import type { FormError, Views } from '../views.js';
import { LoginWaysOfPages } from './login-ways.js';
import { type Onward, pathTo } from './onward.js';

interface RegistrationVisit {
  readonly request: Request;
  readonly response: Response;
  readonly onward: Onward;
  readonly errors?: readonly FormError[];
  readonly status?: number;
}

/**
 * The page on which a person creates an account. After an error, the form contains the typed values except the
 * password.
 */
@Injectable()
export class RegistrationPage {
  constructor(
    private readonly pages: Pages,
    private readonly registrations: RegistrationService,
    private readonly authorizations: AuthorizationsService,
    private readonly ways: LoginWaysOfPages,
  ) {}

  async show(visit: RegistrationVisit): Promise<void> {
    const { request, response, onward, status = 200 } = visit;
    const fields: unknown = request.method === 'POST' ? request.body : request.query;
    const refusal = await this.refusalOf(textOf(fields, 'invitation'));
    if (refusal === undefined) {
      const model = await this.modelOf(visit, fields);
      const hasSecretAddress = model.invitation !== '';
      this.pages.show(response, 'register', model, { status, hasSecretAddress });
      return;
    }
    const action = { href: pathTo('/auth/login', onward), label: 'Log in' };
    const message = { heading: 'No account can be created', text: refusal.message, action };
    this.pages.show(response, 'message', message, { status: 403 });
  }

  private async modelOf(
    { request, onward, errors = [] }: RegistrationVisit,
    fields: unknown,
  ): Promise<Views['register']> {
    const { link, next } = onward;
    const invitation = textOf(fields, 'invitation');
    const invited = await this.registrations.findInvitation(invitation);
    return {
      csrfToken: csrfTokenOf(request),
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
   * Returns the reason why the visitor cannot create any account. Returns undefined if the visitor may create an
   * account.
   */
  private async refusalOf(invitation: string): Promise<Error | undefined> {
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

/** Returns true if the error means that the person may not register. */
export const isRefusal = (
  error: unknown,
): error is InvalidInvitationError | RegistrationClosedError =>
  error instanceof RegistrationClosedError || error instanceof InvalidInvitationError;
