import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import type { Passkey } from '../../../auth/entities/passkey.entity.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { MAX_PASSKEY_NAME, PasskeySettings } from '../../../auth/passkeys/passkey-settings.js';
import { SecondFactorRequirement } from '../../../auth/second-factor/second-factor-requirement.js';
import { deviceOf } from '../../../auth/session/device.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { type FormError, formError, formErrorsOf } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { destinationOf, type Onward, onwardIn, pathTo } from '../../login/onward.js';
import { needed } from '../../login/passkey/passkey-request.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { noticeOf } from '../notices.js';

interface PasskeysModel {
  readonly passkeys: readonly Passkey[];
  readonly maxLength: number;
  readonly notice: Message | undefined;
  readonly errors: readonly FormError[];
}

interface NewPasskeyModel {
  readonly name: string;
  readonly maxLength: number;
  readonly errors: readonly FormError[];
  /** The page to open after the passkey is added. */
  readonly next: string | undefined;
  /** The page to return to, if the user must set up a second factor first. */
  readonly requiredHref: string | undefined;
}

const PATH = '/account/passkeys';

/** Returns the page with the form for a new passkey. It passes on the page to open afterwards. */
const newPath = ({ body }: Request): string => pathTo('/account/passkeys/new', onwardIn(body));

const passkeysPage = new Template<PasskeysModel>('account/passkeys/passkeys', { kind: 'reader' });
const newPasskeyPage = new Template<NewPasskeyModel>('account/passkeys/new-passkey', {
  kind: 'reader',
});

/** The pages on which users add, rename and remove their passkeys. */
@Page('account/passkeys')
@UseGuards(PasswordLoginGuard)
export class PasskeysPageController {
  constructor(
    private readonly settings: PasskeySettings,
    private readonly requirement: SecondFactorRequirement,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.showList(user, request);
  }

  @Get('new')
  @OpenWithoutSecondFactor('missing')
  @RecentLogin()
  ask(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    const onward = onwardIn(request.query);
    return this.showForm(user, request, { name: deviceOf(request), errors: [], onward });
  }

  @Post('new/options')
  @OpenWithoutSecondFactor('missing')
  @RecentLogin({ formPath: newPath })
  async options(@CurrentUser() user: User, @Req() request: Request): Promise<Answer> {
    return json(needed(await this.settings.requestFor(request, user)));
  }

  /** Adds a passkey. The session then counts as a login with a second factor. */
  @Post('new')
  @OpenWithoutSecondFactor('missing')
  @RecentLogin({ formPath: newPath })
  async add(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const result = await this.settings.add(request, user);
    const onward = onwardIn(request.body);
    if (result === 'added') {
      await this.sessions.noteSecondFactor(request);
      const done = `${PATH}?done=passkey-added`;
      return redirect(onward.next === undefined ? done : destinationOf(onward));
    }
    const text = message(result === 'full' ? 'passkeys.full' : 'passkeys.notAdded');
    const errors = [formError(text)];
    return this.showForm(user, request, { name: textOf(request.body, 'name'), errors, onward });
  }

  @Post('rename')
  async rename(@CurrentUser() user: User, @Req() { body }: Request): Promise<Answer> {
    const id = textOf(body, 'passkey');
    if (isId(id)) {
      await this.settings.rename(user, id, body);
    }
    return redirect(`${PATH}?done=passkey-renamed`);
  }

  /** Removes a passkey. If it is already removed, nothing happens. */
  @Post('remove')
  @RecentLogin({ formPath: PATH })
  async remove(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const id = textOf(request.body, 'passkey');
    try {
      if (isId(id)) {
        await this.settings.remove(user, id);
      }
    } catch (error) {
      return this.showList(user, request, formErrorsOf(error));
    }
    return redirect(`${PATH}?done=passkey-removed`);
  }

  private async showList(
    user: User,
    { query }: Request,
    errors: readonly FormError[] = [],
  ): Promise<ShownPage> {
    const model = {
      passkeys: await this.settings.list(user),
      maxLength: MAX_PASSKEY_NAME,
      notice: noticeOf(textOf(query, 'done')),
      errors,
    };
    return passkeysPage.page(model, { status: errors.length > 0 ? 400 : 200 });
  }

  private async showForm(
    user: User,
    request: Request,
    { name, errors, onward }: Pick<NewPasskeyModel, 'name' | 'errors'> & { onward: Onward },
  ): Promise<ShownPage> {
    const isRequired = (await this.requirement.stateOf(request, user)) === 'missing';
    const requiredHref = isRequired ? pathTo('/auth/second-factor', onward) : undefined;
    const model = { name, errors, maxLength: MAX_PASSKEY_NAME, next: onward.next, requiredHref };
    return newPasskeyPage.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}
