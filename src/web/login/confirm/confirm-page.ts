import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { Issuer } from '../../../auth/external/issuer.js';
import { ConfirmationWaysOfUsers } from '../../../auth/session/confirmation-ways.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { fitsIntoTrip } from '../issuer/issuer-trips.js';
import { type LoginVisit, onwardFieldsOf } from '../login-visit.js';
import { type OnwardFields, pathTo } from '../onward.js';

interface ConfirmVisit extends LoginVisit {
  readonly errors?: readonly FormError[];
  readonly status?: number;
}

interface IssuerWay {
  readonly name: string;
  readonly href: string;
  readonly isReachable: boolean;
}

interface ConfirmModel extends OnwardFields {
  readonly email: string;
  readonly hasPassword: boolean;
  /** True if the user must enter a code of the second factor. */
  readonly hasCode: boolean;
  /** True if the user can use a passkey instead. */
  readonly hasPasskey: boolean;
  /** The login with the issuer. Undefined if the user does not log in with the issuer. */
  readonly issuer: IssuerWay | undefined;
  /** True if a redirect to the issuer would lose the form that the page keeps. */
  readonly isInNewTab: boolean;
  readonly errors: readonly FormError[];
}

const confirmPage = new Template<ConfirmModel>('login/confirm/confirm', { kind: 'reader' });

export const confirmError = (text: Message, field = ''): FormError => ({ field, text });

/** The page on which a logged-in user proves the identity again. It keeps the form that the user has sent. */
@Injectable()
export class ConfirmPage {
  constructor(
    private readonly ways: ConfirmationWaysOfUsers,
    private readonly issuer: Issuer,
  ) {}

  async show(
    user: User,
    { onward, kept, errors = [], status = 200 }: ConfirmVisit,
  ): Promise<ShownPage> {
    const { byPassword, byCode, byIssuer, byPasskey } = await this.ways.of(user);
    const isInNewTab = kept !== undefined || !fitsIntoTrip(onward);
    const model = {
      email: user.email,
      hasPassword: byPassword,
      hasCode: byCode,
      hasPasskey: byPasskey,
      issuer: byIssuer
        ? await this.issuerWay(pathTo('/auth/oidc/confirm', isInNewTab ? {} : onward))
        : undefined,
      isInNewTab,
      errors,
      ...onwardFieldsOf({ onward, kept }),
    };
    return confirmPage.page(model, { status });
  }

  private async issuerWay(href: string): Promise<IssuerWay | undefined> {
    const { name } = this.issuer;
    return name === undefined
      ? undefined
      : { name, href, isReachable: await this.issuer.isReachable() };
  }
}
