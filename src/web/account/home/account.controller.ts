import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { AccountsService } from '../../../auth/accounts.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { PasskeySettings } from '../../../auth/passkeys/passkey-settings.js';
import { isAdministrator } from '../../../auth/user-administration.service.js';
import { installedVersion } from '../../../lib/util/version.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { byteSize } from '../../../reading-list/storage/byte-size.js';
import {
  StorageUsage,
  type UsedStorage,
} from '../../../reading-list/storage/storage-usage.service.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { noticeOf } from '../notices.js';
import { type AccountGroup, accountGroups } from './account-groups.js';

interface AccountModel {
  readonly name: string;
  readonly email: string;
  /** The storage that the user's list occupies, and the part of the pictures. */
  readonly storage: readonly Message[];
  readonly version: string;
  readonly groups: readonly AccountGroup[];
  readonly notice: Message | undefined;
}

const template = new Template<AccountModel>('account/home/account', { kind: 'reader' });

const VERSION = installedVersion();

const storageTexts = (used: UsedStorage): Message[] => [
  totalText(used),
  ...(used.pictureBytes > 0
    ? [message('account.storage.pictures', { used: byteSize(used.pictureBytes) })]
    : []),
  ...(used.isFullForPictures ? [message('account.storage.picturesFull')] : []),
];

const totalText = ({ bytes, limit }: UsedStorage): Message =>
  limit === 0
    ? message('account.storage.used', { used: byteSize(bytes) })
    : message('account.storage.usedOf', { used: byteSize(bytes), limit: byteSize(limit) });

/** The index of the account, with a link to each group of settings. */
@Page('account')
export class AccountPageController {
  constructor(
    private readonly eReaderMail: EReaderMail,
    private readonly storage: StorageUsage,
    private readonly accounts: AccountsService,
    private readonly passkeys: PasskeySettings,
  ) {}

  @Get()
  async show(@CurrentUser() user: User, @Req() { query }: Request): Promise<ShownPage> {
    return template.page({
      name: user.name,
      email: user.email,
      storage: storageTexts(await this.storage.of(user.id)),
      version: VERSION,
      groups: accountGroups({
        hasPassword: this.accounts.hasPassword(user),
        allowsPasskeys: this.passkeys.areAllowed,
        hasEReaderMail: this.eReaderMail.isOn,
        isAdministrator: isAdministrator(user),
      }),
      notice: noticeOf(textOf(query, 'done')),
    });
  }
}
