import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { sessionMiddleware } from '../auth/session/session.middleware.js';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { ConsumersModule } from '../consumers/consumers.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { TransferModule } from '../transfer/transfer.module.js';
import { ConsentRequests } from './consent-requests.js';
import { AccountPageController } from './http/account-page.controller.js';
import { AccountPage } from './http/account-page.js';
import { ConsentController } from './http/consent.controller.js';
import { ExportPageController } from './http/export-page.controller.js';
import { FORM_PATHS } from './http/form-body.js';
import { ImportPageController } from './http/import-page.controller.js';
import { PageAssetsController } from './http/page-assets.controller.js';
import { Pages } from './http/pages.js';
import { PasswordPageController } from './http/password-page.controller.js';
import { RegistrationController } from './http/registration.controller.js';
import { SignInController } from './http/sign-in.controller.js';
import { Visitors } from './http/visitors.js';
import { PageRenderer } from './page-renderer.js';

/** What people see in a browser: to log in, to give an application access, to look after their account. */
@Module({
  imports: [AuthModule, ConsumersModule, OAuthModule, TransferModule],
  controllers: [
    SignInController,
    RegistrationController,
    ConsentController,
    AccountPageController,
    ImportPageController,
    PasswordPageController,
    ExportPageController,
    PageAssetsController,
  ],
  providers: [PageRenderer, Pages, Visitors, AccountPage, ConsentRequests],
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
