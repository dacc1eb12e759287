import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { ConsumerKey } from '../../../auth/consumers/entities/consumer-key.entity.js';
import { GrantRepository } from '../../../auth/consumers/grant.repository.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { Database } from '../../../platform/database/database.js';
import { Every } from '../../../platform/jobs/every.js';
import { TokenRefusedError } from '../wire/wallabag-answers.js';
import { type IssuedTokens, WallabagTokenRepository } from './wallabag-token.repository.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Issues tokens to apps made for wallabag. If the user revokes the access of an app, its tokens are deleted too. */
@Injectable()
export class WallabagTokens {
  constructor(
    private readonly database: Database,
    private readonly tokens: WallabagTokenRepository,
    private readonly grants: GrantRepository,
    private readonly users: UserRepository,
  ) {}

  /**
   * Issues tokens to a client for a user who has logged in with it.
   *
   * @throws TokenRefusedError if the user was signed out or the client was deleted in the meantime
   */
  async issue(client: ConsumerKey, user: User): Promise<IssuedTokens> {
    try {
      return await this.database.transaction((manager) => this.issueIn(manager, client, user));
    } catch (error) {
      throw error instanceof InvalidCredentialsError
        ? new TokenRefusedError('invalid_grant', 'The user was logged out everywhere: log in again')
        : error;
    }
  }

  /**
   * Exchanges a refresh token for new tokens. Access tokens from earlier exchanges stay valid.
   *
   * @throws TokenRefusedError if the refresh token is invalid, used up or expired
   */
  async refresh(client: ConsumerKey, refreshToken: string): Promise<IssuedTokens> {
    const found = await this.tokens.findByRefreshToken(refreshToken);
    if (found === undefined || found.grant.consumerKeyId !== client.id) {
      throw invalidRefreshToken();
    }
    if (await this.tokens.isExpired(found.id)) {
      throw new TokenRefusedError('invalid_grant', 'Refresh token has expired');
    }
    const { id, grantId, grant } = found;
    return this.database.transaction(async (manager) => {
      const tokens = manager.withRepository(this.tokens);
      const user = await manager.withRepository(this.users).lock(grant.userId);
      const isAlive = user?.disabledAt === null && (await this.isThere(manager, grantId));
      if (!isAlive || !(await tokens.exchange(id))) {
        throw invalidRefreshToken();
      }
      return tokens.issue(user.id, grantId);
    });
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.tokens.sweep();
  }

  private async issueIn(
    manager: EntityManager,
    client: ConsumerKey,
    user: User,
  ): Promise<IssuedTokens> {
    // If two first logins run in parallel, the lock makes one wait and then find the grant of the other.
    await manager.withRepository(this.users).lockSignedIn(user);
    const grantId = await this.grantOf(manager, client, user);
    return manager.withRepository(this.tokens).issue(user.id, grantId);
  }

  /**
   * Returns the row that permits the client to use the user's list. There is only one such row, even after several
   * logins.
   */
  private async grantOf(manager: EntityManager, client: ConsumerKey, user: User): Promise<string> {
    const grants = manager.withRepository(this.grants);
    // The locks keep the client and the grant from being deleted before the tokens that refer to them are written.
    const stillThere = await manager.findOne(ConsumerKey, {
      where: { id: client.id },
      lock: { mode: 'for_key_share' },
    });
    if (stillThere === null) {
      throw new TokenRefusedError('invalid_client', 'The client credentials are invalid');
    }
    const of = { userId: user.id, consumerKeyId: client.id };
    const lock = { mode: 'for_key_share' } as const;
    const known = await grants.findOne({ where: of, order: { id: 'ASC' }, lock });
    if (known !== null) {
      return known.id;
    }
    await grants.issue(user.id, client.id);
    return (await grants.findOneByOrFail(of)).id;
  }

  private async isThere(manager: EntityManager, grantId: string): Promise<boolean> {
    const lock = { mode: 'for_key_share' } as const;
    const grant = await manager
      .withRepository(this.grants)
      .findOne({ where: { id: grantId }, lock });
    return grant !== null;
  }
}

const invalidRefreshToken = (): TokenRefusedError =>
  new TokenRefusedError('invalid_grant', 'Invalid refresh token');
