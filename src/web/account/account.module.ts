import { Module } from '@nestjs/common';

import { EReaderMailModule } from '../../apis/e-reader-mail/e-reader-mail.module.js';
import { FeedsModule } from '../../apis/feeds/feeds.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ConsumersModule } from '../../auth/consumers/consumers.module.js';
import { OAuthModule } from '../../auth/oauth/oauth.module.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { TransferModule } from '../../transfer/transfer.module.js';
import { PagesModule } from '../pages.module.js';
import { ActivityPageController } from './activity/activity.controller.js';
import { ConsentController } from './consent/consent.controller.js';
import { ConsentRequests } from './consent/consent-requests.js';
import { DataPageController } from './data/data.controller.js';
import { DataPage } from './data/data-page.js';
import { AccountContents } from './deletion/account-contents.js';
import { DeletionPageController } from './deletion/deletion.controller.js';
import { DevicesPageController } from './devices/devices.controller.js';
import { EReaderPageController } from './e-reader/e-reader.controller.js';
import { ExtensionPageController } from './extension/extension.controller.js';
import { ExtensionDownloadController } from './extension/extension-download.controller.js';
import { FeedsPageController } from './feeds/feeds.controller.js';
import { AccountPageController } from './home/account.controller.js';
import { ImportPageController } from './imports/import.controller.js';
import { ClientsPageController } from './keys/clients.controller.js';
import { PasswordsPageController } from './keys/passwords.controller.js';
import { PersonalKeysPageController } from './keys/personal-keys.controller.js';
import { PasskeysPageController } from './passkeys/passkeys.controller.js';
import { PhonePageController } from './phone/phone.controller.js';
import { EmailChangeController } from './profile/email-change.controller.js';
import { ProfilePageController } from './profile/profile.controller.js';
import { ProfilePage } from './profile/profile-page.js';
import { ReadingPageController } from './reading/reading.controller.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecurityPageController } from './security/security.controller.js';
import { SecurityPage } from './security/security-page.js';
import { SessionsPageController } from './sessions/sessions.controller.js';
import { SharedLinksPageController } from './shared-links/shared-links.controller.js';

/** Provides the pages of the account, and the page on which users authorize applications. */
@Module({
  imports: [
    AuthModule,
    ConsumersModule,
    EReaderMailModule,
    FeedsModule,
    OAuthModule,
    PagesModule,
    ReadingListModule,
    TransferModule,
  ],
  controllers: [
    AccountPageController,
    ProfilePageController,
    EmailChangeController,
    SecurityPageController,
    ActivityPageController,
    SessionsPageController,
    SecondFactorController,
    PasskeysPageController,
    DevicesPageController,
    ConsentController,
    ExtensionPageController,
    ExtensionDownloadController,
    PhonePageController,
    PersonalKeysPageController,
    ClientsPageController,
    PasswordsPageController,
    FeedsPageController,
    SharedLinksPageController,
    DataPageController,
    ImportPageController,
    ReadingPageController,
    EReaderPageController,
    DeletionPageController,
  ],
  providers: [ProfilePage, SecurityPage, DataPage, AccountContents, ConsentRequests],
})
export class AccountModule {}
