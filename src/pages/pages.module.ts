import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { sessionMiddleware } from '../auth/session/session.middleware.js';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { ConsumersModule } from '../consumers/consumers.module.js';
import { FeedsModule } from '../feeds/feeds.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { TransferModule } from '../transfer/transfer.module.js';
import {
  AccountFormsController,
  AccountPage,
  AccountPageController,
} from './account/account-page.controller.js';
import { ConsentController } from './account/consent.controller.js';
import { ConsentRequests } from './account/consent-requests.js';
import { ExtensionPageController } from './account/extension-page.controller.js';
import { FeedsPageController } from './account/feeds-page.controller.js';
import { ImportPageController } from './account/import-page.controller.js';
import { InterruptedVisits } from './account/interrupted-visits.js';
import { RegistrationController } from './account/registration.controller.js';
import { RegistrationPage } from './account/registration-page.js';
import { ResendPage } from './account/resend-page.js';
import { SignInController } from './account/sign-in.controller.js';
import { SignInPage } from './account/sign-in-page.js';
import { FORM_PATHS } from './forms.js';
import { PageAssetsController } from './page-assets.controller.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';
import { Visitors } from './visitors.js';

/** What all pages are made with, and the pages for login, consent of applications and the account. */
@Module({
  imports: [AuthModule, ConsumersModule, FeedsModule, OAuthModule, TransferModule],
  controllers: [
    SignInController,
    RegistrationController,
    ConsentController,
    AccountPageController,
    AccountFormsController,
    ExtensionPageController,
    FeedsPageController,
    ImportPageController,
    PageAssetsController,
  ],
  providers: [
    ...[Pages, Visitors, SignInPage, RegistrationPage, ResendPage, InterruptedVisits],
    ...[AccountPage, Appearances, ConsentRequests],
  ],
  exports: [Appearances, Pages, Visitors, InterruptedVisits],
})
export class PagesModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(sessionMiddleware(this.config, this.clock)).forRoutes(...FORM_PATHS);
  }
}
