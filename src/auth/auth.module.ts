import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { provideRepository } from '../database/provide-repository.js';
import { ThrottleStorage } from '../throttling/throttle-storage.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessTokens } from './access-tokens.js';
import { AccountsService } from './accounts.service.js';
import { AuthenticationService } from './authentication.service.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { User } from './entities/user.entity.js';
import { AccountController } from './http/account.controller.js';
import { Passwords } from './passwords.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';
import { sessionMiddleware } from './session/session.middleware.js';
import { Sessions } from './session/sessions.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { PasswordStrategy } from './strategies/password.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { throttlerOptions } from './throttle-limits.js';
import { TokenService } from './token.service.js';
import { UserRepository } from './user.repository.js';
import { UserAdministrationService } from './user-administration.service.js';

/** Accounts, the three credentials, tokens and sessions. */
@Module({
  imports: [
    PassportModule,
    ThrottlingModule,
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
    AuthenticationService,
    Passwords,
    AccountsService,
    Sessions,
    TokenService,
    UserAdministrationService,
    provideRepository(UserRepository, User),
    provideRepository(RefreshTokenRepository, RefreshToken),
    PasswordStrategy,
    SessionStrategy,
    BearerStrategy,
  ],
  exports: [
    AccessTokens,
    AuthenticationService,
    AccountsService,
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

  /** Only the endpoints that read or write the cookie pay for it. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(sessionMiddleware(this.config, this.clock)).forRoutes('login', 'logout');
  }
}
