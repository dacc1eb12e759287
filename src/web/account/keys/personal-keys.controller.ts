import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import type { Permission } from '../../../auth/consumers/permission.js';
import {
  type PersonalKeyPair,
  PersonalKeysService,
} from '../../../auth/consumers/personal-keys.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import type { Message } from '../../../platform/i18n/message.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type ApplicationCard, applicationCard } from '../application-card.js';
import { noticeOf } from '../notices.js';
import { type KeyForm, type KeyFormModel, KeyPage, type KeyVisit } from './key-page.js';

interface PersonalKeysModel extends KeyFormModel {
  readonly notice: Message | undefined;
  /** The keys of all kinds that the user has created. */
  readonly keys: readonly ApplicationCard[];
}

/** A new personal key. */
interface PersonalKeyModel extends PersonalKeyPair {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly address: string;
}

const personalKeysPage = new Template<PersonalKeysModel>('account/keys/personal-keys', {
  kind: 'reader',
});
const personalKeyPage = new Template<PersonalKeyModel>('account/keys/personal-key', {
  kind: 'reader',
});

/**
 * The page on which users create keys for their own scripts and devices, and revoke keys of all kinds
 * (docs/api/personal-keys.md).
 */
@Page('account/keys')
export class PersonalKeysPageController extends KeyPage {
  protected override readonly preselected: readonly Permission[] = [];

  constructor(
    private readonly personalKeys: PersonalKeysService,
    private readonly authorizations: AuthorizationsService,
    config: Config,
  ) {
    super(config);
  }

  @Post('revoke')
  async revoke(@CurrentUser() user: User, @Req() { body }: Request): Promise<Answer> {
    const id = textOf(body, 'key');
    if (isId(id)) {
      await this.authorizations.revoke(user, id);
    }
    return redirect('/account/keys?done=key-revoked');
  }

  protected override async formPage(
    form: KeyFormModel,
    status: number,
    { user, request }: KeyVisit,
  ): Promise<ShownPage> {
    const notice = noticeOf(textOf(request.query, 'done'));
    const keys = await this.personalKeys.list(user.id);
    return personalKeysPage.page({ ...form, notice, keys: keys.map(applicationCard) }, { status });
  }

  protected override async createKey(
    user: User,
    { name, permissions, validDays }: KeyForm,
    address: string,
  ): Promise<ShownPage> {
    const pair = await this.personalKeys.create(user, { name, permissions, validDays });
    return personalKeyPage.page({ ...pair, name, permissions, address });
  }
}
