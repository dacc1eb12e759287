import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { AccessTokens } from './access-tokens.js';
import { InvalidRefreshTokenError } from './auth.errors.js';
import { isRefreshToken, RefreshTokenStore } from './refresh-token.store.js';
import type { TokenPair } from './token-pair.js';
import { UserStore } from './user.store.js';

@Injectable()
export class RefreshService {
  private readonly logger = new Logger(RefreshService.name);

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly config: Config,
  ) {}

  /** Exchanges a refresh token, once. Throws InvalidRefreshTokenError (docs/decisions/0004). */
  async refresh(token: string): Promise<TokenPair> {
    const pair = isRefreshToken(token)
      ? await this.database.write((manager) => this.exchange(manager, token))
      : undefined;
    if (pair === undefined) {
      throw new InvalidRefreshTokenError();
    }
    return pair;
  }

  /** A refusal is a value here: what it does to the stolen family must be committed. */
  private async exchange(manager: EntityManager, token: string): Promise<TokenPair | undefined> {
    const tokens = new RefreshTokenStore(manager);
    const userId = await tokens.findOwner(token);
    const user = userId === undefined ? null : await new UserStore(manager).lock(userId);
    if (user?.disabledAt !== null) {
      return undefined;
    }
    const refreshToken = await tokens.rotate(user.id, token);
    if (refreshToken === undefined) {
      await this.endStolenFamily(manager, user.id, token);
      return undefined;
    }
    return {
      accessToken: this.accessTokens.sign({ userId: user.id, sessionEpoch: user.sessionEpoch }),
      refreshToken,
      expiresInSeconds: this.config.accessTokenTtlSeconds,
    };
  }

  private async endStolenFamily(
    manager: EntityManager,
    userId: string,
    token: string,
  ): Promise<void> {
    const tokens = new RefreshTokenStore(manager);
    const leeway = this.config.refreshReuseLeewaySeconds;
    if (await tokens.wasRotatedBefore(userId, token, leeway)) {
      await tokens.deleteAll(userId);
      await new UserStore(manager).raiseEpoch(userId);
      this.logger.warn(
        `a rotated refresh token of user ${userId} came back: all sessions are ended`,
      );
    }
  }
}
