import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { EmailTakenError } from '../../../auth/auth.errors.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { passwordError } from '../../../auth/passwords.js';
import { Registration } from '../../../auth/registration.js';
import { RegistrationService } from '../../../auth/registration.service.js';
import { originOf } from '../../../auth/session/device.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { defined } from '../../../lib/util/defined.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { browserLanguage } from '../../../platform/http/request-language.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { type FieldRules, type FormError, formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { Visitors } from '../../visitors.js';
import { askToVerify } from '../email-verification/email-verification.controller.js';
import { destinationOf, onwardIn } from '../onward.js';
import { isRefusal, RegistrationPage } from './registration-page.js';

/**
 * The page on which a person creates an account. After the registration, the browser is redirected to the consent page
 * of an application, or to the page that the person opened before.
 */
@Page('auth/register', { for: 'everyone' })
export class RegistrationController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: RegistrationPage,
    private readonly registrations: RegistrationService,
    private readonly sessions: Sessions,
    private readonly verifications: EmailVerifications,
    private readonly visitors: Visitors,
  ) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async ask(@Req() request: Request): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    return (await this.visitors.isNamed(request))
      ? redirect(destinationOf(onward))
      : this.page.show({ request, onward });
  }

  @Post()
  @UseGuards(PasswordLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  async register(@Req() request: Request): Promise<ShownPage | Answer> {
    const registered = await this.createUser(request);
    const onward = onwardIn(request.body);
    if (Array.isArray(registered)) {
      return this.page.show({ request, onward, errors: registered, status: 400 });
    }
    if (this.verifications.isDue(registered)) {
      return askToVerify({ email: registered.email });
    }
    await this.sessions.begin(request, registered);
    return redirect(destinationOf(onward));
  }

  /** Creates and returns the user, or returns the errors of the form. */
  private async createUser(request: Request): Promise<User | FormError[]> {
    const fields = ['name', 'email', 'password', 'invitation'];
    const typed = Object.fromEntries(fields.map((field) => [field, textOf(request.body, field)]));
    try {
      const { name, email, password, invitation } = parseRequest(Registration, typed);
      const optional = defined({ invitation, browserLanguage: browserLanguage(request) });
      const origin = originOf(request);
      return await this.registrations.register({ name, email, password, origin, ...optional });
    } catch (error) {
      return error instanceof EmailTakenError || isRefusal(error)
        ? [{ field: 'email', text: error.advice }]
        : formErrorsOf(error, rulesFor(typed));
    }
  }
}

/** Returns the messages about the fields of a registration. The message about the password contains its reason. */
function rulesFor(typed: Readonly<Record<string, string>>): FieldRules {
  const { name = '', email = '', password = '' } = typed;
  const rejected = passwordError(password, { name, email });
  return new Map([
    ['name', message('account.name.invalid')],
    ['email', message('account.email.invalid')],
    ...(rejected === undefined ? [] : [['password', rejected.advice] as const]),
  ]);
}
