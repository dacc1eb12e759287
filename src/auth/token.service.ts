import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import { AccessTokens } from './access-tokens.js';
import { type ActingUser, AuditRepository } from './audit/audit.repository.js';
import { InvalidRefreshTokenError } from './auth.errors.js';
import { AuditKind } from './entities/audit-kinds.js';
import type { User } from './entities/user.entity.js';
import { isRefreshToken, RefreshTokenRepository } from './refresh-token.repository.js';
import { UserRepository } from './user.repository.js';

/** The tokens that a login or a refresh returns. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** Issues pairs of an access token and a refresh token, and revokes them (docs/decisions/0004). */
@Injectable()
export class TokenService {
  private readonly logger = new Logger(TokenService.name);

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly config: Config,
  ) {}

  /** Issues a new pair of tokens to a user who has logged in. Replaces the user's earlier refresh token. */
  issue(user: User): Promise<TokenPair> {
    return this.database.transaction(async (manager) => {
      await UserRepository.in(manager).lockSignedIn(user);
      return this.pairOf(user, await RefreshTokenRepository.in(manager).issue(user.id));
    });
  }

  /**
   * Exchanges a refresh token for a new pair of tokens. Each refresh token works once.
   * @throws InvalidRefreshTokenError if the token is unknown or already used, or if the account is disabled.
   */
  async refresh(token: string): Promise<TokenPair> {
    const pair = isRefreshToken(token)
      ? await this.database.transaction((manager) => this.exchange(manager, token))
      : undefined;
    if (pair === undefined) {
      throw new InvalidRefreshTokenError();
    }
    return pair;
  }

  /** Ends every session, access token and refresh token of the user. */
  signOut(user: ActingUser): Promise<void> {
    return this.database.transaction(async (manager) => {
      await UserRepository.in(manager).signOut(user.id);
      await AuditRepository.in(manager).signedOut(user);
    });
  }

  /**
   * Exchanges a refresh token. Returns undefined for an invalid token. An exception would roll back
   * the transaction, which may have signed the user out because the token was stolen.
   */
  private async exchange(manager: EntityManager, token: string): Promise<TokenPair | undefined> {
    const tokens = RefreshTokenRepository.in(manager);
    const users = UserRepository.in(manager);
    const userId = await tokens.findOwner(token);
    const user = userId === undefined ? null : await users.lock(userId);
    if (user?.disabledAt !== null) {
      return undefined;
    }
    const refreshToken = await tokens.rotate(user.id, token);
    if (refreshToken !== undefined) {
      return this.pairOf(user, refreshToken);
    }
    if (await tokens.wasRotatedBefore(user.id, token, this.config.refreshReuseLeewaySeconds)) {
      await users.signOut(user.id);
      await AuditRepository.in(manager).automatic(user.id, AuditKind.RefreshTokenReused);
      this.logger.warn(
        `a rotated refresh token of user ${user.id} came back: all sessions are ended`,
      );
    }
    return undefined;
  }

  private pairOf({ id, tokenVersion }: User, refreshToken: string): TokenPair {
    return {
      accessToken: this.accessTokens.sign({ userId: id, tokenVersion }),
      refreshToken,
      expiresInSeconds: this.config.accessTokenTtlSeconds,
    };
  }
}
