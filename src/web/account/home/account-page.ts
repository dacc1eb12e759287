import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { type FeedPaths, FeedsService } from '../../../apis/feeds/feeds.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { isAdministrator } from '../../../auth/user-administration.service.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { byteSize } from '../../../reading-list/storage/byte-size.js';
import {
  StorageUsage,
  type UsedStorage,
} from '../../../reading-list/storage/storage-usage.service.js';
import { ImportService } from '../../../transfer/import/import.service.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { type ApplicationCard, applicationCard } from '../application-card.js';
import { type ImportCard, importCardOf } from '../imports/import.view.js';
import { noticeOf } from '../notices.js';
import type { SecondFactorCard } from '../second-factor/second-factor-card.js';
import { AccountSecurity } from '../sessions/account-security.js';
import type { SessionCard } from '../sessions/session-card.js';

/** The feed addresses on the account page. */
interface FeedsCard {
  /**
   * The title and the address of each feed. The address has no file extension. Clients append the file extension of the
   * format that they want.
   */
  readonly lists: readonly { readonly title: Message; readonly url: string }[];
  readonly tagUrl: string;
}

interface AccountModel {
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
  /** True if articles can be sent to e-readers. */
  readonly hasEReaderMail: boolean;
  /** The storage that the user's list occupies. */
  readonly storage: Message;
  /** True if password login is on and the user has a password. */
  readonly hasPassword: boolean;
  readonly notice: Message | undefined;
  readonly sessions: readonly SessionCard[];
  readonly secondFactor: SecondFactorCard | undefined;
  readonly applications: readonly ApplicationCard[];
  readonly imports: readonly ImportCard[];
  /** The feed addresses of the user. Undefined if the user has no feed address. */
  readonly feeds: FeedsCard | undefined;
  /** The errors of the form that changes the password. */
  readonly errors: readonly FormError[];
}

const template = new Template<AccountModel>('account/home/account', { kind: 'reader' });

const storageText = ({ bytes, limit }: UsedStorage): Message =>
  limit === 0
    ? message('account.storage.used', { used: byteSize(bytes) })
    : message('account.storage.usedOf', { used: byteSize(bytes), limit: byteSize(limit) });

/** Returns the feed addresses for the account page. `base` is the address of the service. */
const feedsCardOf = ({ lists, tags }: FeedPaths, base: string): FeedsCard => ({
  lists: lists.map(({ title, path }) => ({ title, url: `${base}${path}` })),
  tagUrl: `${base}${tags}NAME.atom`,
});

/** Shows the account page. After a rejected form, the page also shows the errors of the form. */
@Injectable()
export class AccountPage {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly imports: ImportService,
    private readonly feeds: FeedsService,
    private readonly security: AccountSecurity,
    private readonly eReaderMail: EReaderMail,
    private readonly storage: StorageUsage,
    private readonly config: Config,
  ) {}

  async show(user: User, request: Request, errors: readonly FormError[] = []): Promise<ShownPage> {
    const [security, applications, imports, feeds, storage] = await Promise.all([
      this.security.cardsOf(user, request),
      this.authorizations.applicationsOf(user.id),
      this.imports.latest(user.id),
      this.feeds.pathsOf(user.id),
      this.storage.of(user.id),
    ]);
    const model = {
      name: user.name,
      email: user.email,
      isAdministrator: isAdministrator(user),
      hasEReaderMail: this.eReaderMail.isOn,
      hasPassword: this.config.passwordLogin && user.passwordHash !== null,
      notice: noticeOf(textOf(request.query, 'done')),
      storage: storageText(storage),
      ...security,
      applications: applications.map(applicationCard),
      imports: imports.map(importCardOf),
      feeds: feeds && feedsCardOf(feeds, ownAddress(request, this.config.publicUrl)),
      errors,
    };
    return template.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}
