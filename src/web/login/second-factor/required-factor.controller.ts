import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { PasskeySettings } from '../../../auth/passkeys/passkey-settings.js';
import {
  type FactorState,
  SecondFactorRequirement,
} from '../../../auth/second-factor/second-factor-requirement.js';
import {
  type ConfirmationWays,
  ConfirmationWaysOfUsers,
} from '../../../auth/session/confirmation-ways.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { destinationOf, type Onward, onwardIn, pathTo } from '../onward.js';

/** The links with which a user sets up a second factor. A link is undefined if the user cannot use the factor. */
interface SetUpLinks {
  readonly appHref: string | undefined;
  readonly passkeyHref: string | undefined;
}

/** The ways in which a user can use a second factor. */
type FactorWays = Pick<ConfirmationWays, 'byPassword' | 'byCode' | 'byPasskey'>;

interface RequiredFactorModel extends SetUpLinks, FactorWays {
  readonly intro: Message;
  /** True if the user can neither set up nor use a second factor with the present login. */
  readonly isImpossible: boolean;
  readonly email: string;
  readonly errors: readonly [];
  readonly next: string | undefined;
}

const template = new Template<RequiredFactorModel>('login/second-factor/required-factor', {
  kind: 'login',
});

const NO_LINKS: SetUpLinks = { appHref: undefined, passkeyHref: undefined };
const NO_WAYS: FactorWays = { byPassword: false, byCode: false, byPasskey: false };

/** The page on which a user sets up or uses a second factor that the operator requires (docs/decisions/0135). */
@Page('auth/second-factor')
@OpenWithoutSecondFactor('missing', 'unproven')
export class RequiredFactorController {
  constructor(
    private readonly requirement: SecondFactorRequirement,
    private readonly ways: ConfirmationWaysOfUsers,
    private readonly accounts: AccountsService,
    private readonly passkeys: PasskeySettings,
  ) {}

  @Get()
  async ask(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    const state = await this.requirement.stateOf(request, user);
    return state === 'met' ? redirect(destinationOf(onward)) : this.show(user, onward, state);
  }

  private async show(
    user: User,
    onward: Onward,
    state: Exclude<FactorState, 'met'>,
  ): Promise<ShownPage> {
    const isMissing = state === 'missing';
    const links = isMissing ? this.linksFor(user, onward) : NO_LINKS;
    const { byPassword, byCode, byPasskey } = isMissing ? NO_WAYS : await this.ways.of(user);
    const { appHref, passkeyHref } = links;
    return template.page({
      intro: message(`secondFactor.required.${state}`),
      isImpossible: !byCode && !byPasskey && appHref === undefined && passkeyHref === undefined,
      appHref,
      passkeyHref,
      byPassword,
      byCode,
      byPasskey,
      email: user.email,
      errors: [],
      next: onward.next,
    });
  }

  /** The page of the authenticator app needs the password, so users without a password add a passkey. */
  private linksFor(user: User, onward: Onward): SetUpLinks {
    return {
      appHref: this.accounts.hasPassword(user)
        ? pathTo('/account/second-factor', onward)
        : undefined,
      passkeyHref: this.passkeys.areAllowed ? pathTo('/account/passkeys/new', onward) : undefined,
    };
  }
}
