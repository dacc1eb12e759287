import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { CounterStore } from '../throttling/counter.store.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessTokens } from './access-tokens.js';
import { AccountController } from './http/account.controller.js';
import { Sessions } from './http/sessions.js';
import { Identities } from './identities.js';
import { LoginService } from './login.service.js';
import { PasswordChangeService } from './password-change.service.js';
import { Passwords } from './passwords.js';
import { RefreshService } from './refresh.service.js';
import { RegistrationService } from './registration.service.js';
import { sessionMiddleware } from './session/session.middleware.js';
import { SignOutService } from './sign-out.service.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { PasswordStrategy } from './strategies/password.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { throttlerOptions } from './throttle-limits.js';
import { UserAdministrationService } from './user-administration.service.js';

/** Who is the user? Accounts, the three proofs of identity, tokens and sessions. */
@Module({
  imports: [
    PassportModule,
    ThrottlingModule,
    ThrottlerModule.forRootAsync({
      imports: [ThrottlingModule],
      inject: [Config, CounterStore],
      useFactory: (config: Config, counters: CounterStore) =>
        throttlerOptions(config.limits, counters),
    }),
  ],
  controllers: [AccountController],
  providers: [
    AccessTokens,
    Identities,
    LoginService,
    PasswordChangeService,
    Passwords,
    RefreshService,
    RegistrationService,
    Sessions,
    SignOutService,
    UserAdministrationService,
    PasswordStrategy,
    SessionStrategy,
    BearerStrategy,
  ],
  exports: [
    AccessTokens,
    Identities,
    PasswordChangeService,
    RegistrationService,
    Sessions,
    UserAdministrationService,
  ],
})
export class AuthModule implements NestModule {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Only the endpoints that read or write the cookie pay for it. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(sessionMiddleware(this.config, this.clock)).forRoutes('login', 'logout');
  }
}
