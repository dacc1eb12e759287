import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { PasskeySettings } from '../../../auth/passkeys/passkey-settings.js';
import { SecondFactorSettings } from '../../../auth/second-factor/second-factor-settings.js';
import { RecentLogins } from '../../../auth/session/recent-logins.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { pathTo } from '../../login/onward.js';
import { type ShownPage, Template } from '../../template.js';
import { noticeOf } from '../notices.js';
import type { SecondFactorCard } from '../second-factor/second-factor-card.js';
import { type SessionCard, sessionCardOf } from '../sessions/session-card.js';

interface SecurityModel {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly allowsPasskeys: boolean;
  /** The page that asks for the code before the password can be changed. Undefined if it need not. */
  readonly confirmHref: string | undefined;
  readonly sessions: readonly SessionCard[];
  readonly secondFactor: SecondFactorCard | undefined;
  readonly notice: Message | undefined;
  /** The errors of the form that changes the password. */
  readonly errors: readonly FormError[];
}

const CONFIRM = pathTo('/auth/confirm', { next: '/account/security#password-heading' });

const template = new Template<SecurityModel>('account/security/security', { kind: 'reader' });

/** Shows the page with the password, the second factor and the sessions of a user. */
@Injectable()
export class SecurityPage {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly sessions: Sessions,
    private readonly secondFactor: SecondFactorSettings,
    private readonly passkeys: PasskeySettings,
    private readonly accounts: AccountsService,
    private readonly logins: RecentLogins,
  ) {}

  async show(user: User, request: Request, errors: readonly FormError[] = []): Promise<ShownPage> {
    const [sessions, secondFactor] = await Promise.all([
      this.sessions.list(user),
      this.secondFactor.stateOf(user),
    ]);
    const model = {
      email: user.email,
      hasPassword: this.accounts.hasPassword(user),
      allowsPasskeys: this.passkeys.areAllowed,
      confirmHref: (await this.logins.isDueBesidesPassword(request, user)) ? CONFIRM : undefined,
      sessions: sessions.map((session) => sessionCardOf(session, request.currentSession)),
      secondFactor,
      notice: noticeOf(textOf(request.query, 'done')),
      errors,
    };
    return template.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}
