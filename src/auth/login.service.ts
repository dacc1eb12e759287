import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { AccessTokens } from './access-tokens.js';
import { InvalidCredentialsError } from './auth.errors.js';
import type { User } from './entities/user.entity.js';
import { RefreshTokenStore } from './refresh-token.store.js';
import type { TokenPair } from './token-pair.js';
import { UserStore } from './user.store.js';

@Injectable()
export class LoginService {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly config: Config,
  ) {}

  /** A fresh pair for a user who has proved who they are; it replaces the refresh token they had. */
  login(user: User): Promise<TokenPair> {
    return this.database.write(async (manager) => {
      const locked = await new UserStore(manager).lock(user.id);
      if (locked?.disabledAt !== null || locked.sessionEpoch !== user.sessionEpoch) {
        throw new InvalidCredentialsError();
      }
      return {
        accessToken: this.accessTokens.sign({ userId: user.id, sessionEpoch: user.sessionEpoch }),
        refreshToken: await new RefreshTokenStore(manager).issue(user.id),
        expiresInSeconds: this.config.accessTokenTtlSeconds,
      };
    });
  }
}
