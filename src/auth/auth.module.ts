import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { provideRepository } from '../platform/database/custom-repository.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { ThrottleStorage } from '../platform/throttling/throttle-storage.js';
import { ThrottlingModule } from '../platform/throttling/throttling.module.js';
import { AccessTokens } from './access-tokens.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountsService } from './accounts.service.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditRetention } from './audit/audit-retention.js';
import { AuthenticationService } from './authentication.service.js';
import { KnownLogin } from './entities/known-login.entity.js';
import { OneTimeLink } from './entities/one-time-link.entity.js';
import { SecondFactor } from './entities/second-factor.entity.js';
import { ExternalLogins } from './external/external-logins.js';
import { ForwardAuth } from './external/forward-auth.js';
import { Issuer } from './external/issuer.js';
import { AccountController } from './http/account.controller.js';
import { EmailChangeLimits } from './links/email-change-limits.js';
import { EmailChanges } from './links/email-changes.js';
import { EmailVerifications } from './links/email-verifications.js';
import { Invitations } from './links/invitations.js';
import { OneTimeLinks } from './links/one-time-links.js';
import { PasswordResets } from './links/password-resets.js';
import { LoginAttempts } from './login-attempts.js';
import { PasskeyChallenges } from './passkeys/passkey-challenges.js';
import { PasskeySettings } from './passkeys/passkey-settings.js';
import { Passkeys } from './passkeys/passkeys.js';
import { Passwords } from './passwords.js';
import { RegistrationService } from './registration.service.js';
import { SecondFactorRequirement } from './second-factor/second-factor-requirement.js';
import { SecondFactorSettings } from './second-factor/second-factor-settings.js';
import { SecondFactors } from './second-factor/second-factors.js';
import { SecurityLetters } from './security-mails/security-letters.js';
import { SecurityMailSender } from './security-mails/security-mail-sender.js';
import { SecurityMails } from './security-mails/security-mails.js';
import { ConfirmationWaysOfUsers } from './session/confirmation-ways.js';
import { Confirmations } from './session/confirmations.js';
import { LoginNotices } from './session/login-notices.js';
import { RecentLogins } from './session/recent-logins.js';
import { sessionMiddleware } from './session/session.middleware.js';
import { SessionRepository } from './session/session.repository.js';
import { Sessions } from './session/sessions.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { PasswordStrategy } from './strategies/password.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { throttlerOptions } from './throttle-limits.js';
import { TokenService } from './token.service.js';
import { UserRepository } from './user.repository.js';
import { UserAdministrationService } from './user-administration.service.js';

/** Provides accounts, tokens, sessions, and the three ways to log in: password, session cookie and access token. */
@Module({
  imports: [
    PassportModule,
    TypeOrmModule.forFeature([OneTimeLink]),
    ThrottlingModule,
    TypeOrmModule.forFeature([SecondFactor]),
    MailModule,
    TypeOrmModule.forFeature([KnownLogin]),
    ThrottlerModule.forRootAsync({
      imports: [ThrottlingModule],
      inject: [Config, ThrottleStorage],
      useFactory: (config: Config, counters: ThrottleStorage) =>
        throttlerOptions(config.limits, counters),
    }),
  ],
  controllers: [AccountController],
  providers: [
    AccessTokens,
    AccountDeletion,
    AuditRetention,
    AuthenticationService,
    Passwords,
    AccountsService,
    ConfirmationWaysOfUsers,
    Confirmations,
    RecentLogins,
    ExternalLogins,
    ForwardAuth,
    Issuer,
    SecondFactors,
    SecondFactorRequirement,
    SecondFactorSettings,
    EmailChanges,
    EmailChangeLimits,
    EmailVerifications,
    Invitations,
    LoginAttempts,
    LoginNotices,
    PasswordResets,
    OneTimeLinks,
    PasskeyChallenges,
    Passkeys,
    PasskeySettings,
    RegistrationService,
    SecurityLetters,
    SecurityMails,
    SecurityMailSender,
    Sessions,
    TokenService,
    UserAdministrationService,
    provideRepository(AuditRepository),
    provideRepository(UserRepository),
    provideRepository(SessionRepository),
    PasswordStrategy,
    SessionStrategy,
    BearerStrategy,
  ],
  exports: [
    AccessTokens,
    AccountDeletion,
    AuditRepository,
    AuthenticationService,
    AccountsService,
    ConfirmationWaysOfUsers,
    Confirmations,
    RecentLogins,
    ExternalLogins,
    ForwardAuth,
    Issuer,
    SecondFactors,
    SecondFactorRequirement,
    SecondFactorSettings,
    EmailChanges,
    EmailVerifications,
    Invitations,
    LoginAttempts,
    PasswordResets,
    OneTimeLinks,
    Passkeys,
    PasskeySettings,
    RegistrationService,
    SecurityMailSender,
    Sessions,
    UserAdministrationService,
    UserRepository,
  ],
})
export class AuthModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the session middleware only for `/login` and `/logout`, the API endpoints that read or write the session
   * cookie.
   */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(sessionMiddleware(this.config, this.clock)).forRoutes('login', 'logout');
  }
}
