import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';

import { FeedsModule } from '../apis/feeds/feeds.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConsumersModule } from '../auth/consumers/consumers.module.js';
import { OAuthModule } from '../auth/oauth/oauth.module.js';
import { sessionMiddleware } from '../auth/session/session.middleware.js';
import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { ApplicationAccess } from './account/security/application-access.js';
import { BrowserErrorFilter } from './browser-error.filter.js';
import { ErrorPages } from './error-pages.js';
import { atForms } from './forms.js';
import { CodeController } from './login/code/code.controller.js';
import { CodePage } from './login/code/code-page.js';
import { ConfirmController } from './login/confirm/confirm.controller.js';
import { ConfirmPage } from './login/confirm/confirm-page.js';
import { IssuerConfirmController } from './login/confirm/issuer-confirm.controller.js';
import { IssuerConfirmations } from './login/confirm/issuer-confirmations.js';
import { PasskeyConfirmController } from './login/confirm/passkey-confirm.controller.js';
import { RecentLoginGuard } from './login/confirm/recent-login.guard.js';
import { EmailVerificationController } from './login/email-verification/email-verification.controller.js';
import { InterruptedVisits } from './login/interrupted-visits.js';
import { IssuerLoginController } from './login/issuer/issuer-login.controller.js';
import { IssuerTrips } from './login/issuer/issuer-trips.js';
import { LoginWaysOfPages } from './login/login-ways.js';
import { PasskeyLoginController } from './login/passkey/passkey-login.controller.js';
import { PasswordResetController } from './login/password-reset/password-reset.controller.js';
import { PendingLogins } from './login/pending-logins.js';
import { RegistrationController } from './login/registration/registration.controller.js';
import { RegistrationPage } from './login/registration/registration-page.js';
import { RequiredFactorController } from './login/second-factor/required-factor.controller.js';
import { SignInController } from './login/sign-in/sign-in.controller.js';
import { SignInPage } from './login/sign-in/sign-in-page.js';
import { PageAssetsController } from './page-assets.controller.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';
import { SecurityTxtController } from './security-txt.controller.js';
import { Visitors } from './visitors.js';
import { DeveloperPagesController } from './wallabag/developer-pages.controller.js';
import { WallabagPagesController } from './wallabag/wallabag-pages.controller.js';

/** Provides the parts that all pages share, and the pages for login and for clients of wallabag. */
@Module({
  imports: [AuthModule, ConsumersModule, FeedsModule, OAuthModule],
  controllers: [
    SignInController,
    CodeController,
    PasskeyLoginController,
    IssuerLoginController,
    ConfirmController,
    IssuerConfirmController,
    PasskeyConfirmController,
    RequiredFactorController,
    RegistrationController,
    PasswordResetController,
    EmailVerificationController,
    WallabagPagesController,
    DeveloperPagesController,
    PageAssetsController,
    SecurityTxtController,
  ],
  providers: [
    ...[Pages, Visitors, SignInPage, RegistrationPage, InterruptedVisits],
    ...[PendingLogins, Appearances, IssuerTrips, LoginWaysOfPages, ErrorPages],
    ApplicationAccess,
    ...[CodePage, ConfirmPage, IssuerConfirmations, RecentLoginGuard],
    { provide: APP_FILTER, useClass: BrowserErrorFilter },
  ],
  exports: [
    ApplicationAccess,
    Appearances,
    ErrorPages,
    Pages,
    RecentLoginGuard,
    Visitors,
    InterruptedVisits,
  ],
})
export class PagesModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    const session = sessionMiddleware(this.config, this.clock);
    consumer
      .apply(atForms(() => session))
      .forRoutes('/')
      .apply(session)
      // Applies to the exact path `/wallabag` only, because API calls below this path have no
      // session.
      .forRoutes({ path: 'wallabag', method: RequestMethod.GET });
  }
}
