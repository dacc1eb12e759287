import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { AuditRepository } from '../../../auth/audit/audit.repository.js';
import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { ConsumerKeyRepository } from '../../../auth/consumers/consumer-key.repository.js';
import { ConsumerKey } from '../../../auth/consumers/entities/consumer-key.entity.js';
import { GrantRepository } from '../../../auth/consumers/grant.repository.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { Database } from '../../../platform/database/database.js';
import { Every } from '../../../platform/jobs/every.js';
import { TokenRefusedError } from '../wire/wallabag-answers.js';
import type { LoggedIn } from './password-logins.js';
import {
  type IssuedTokens,
  type TokenOrigin,
  WallabagTokenRepository,
} from './wallabag-token.repository.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Issues tokens to apps made for wallabag. If the user revokes the access of an app, its tokens are deleted too. */
@Injectable()
export class WallabagTokens {
  constructor(
    private readonly database: Database,
    private readonly tokens: WallabagTokenRepository,
  ) {}

  /**
   * Issues tokens to a client in which a user has logged in.
   *
   * @throws TokenRefusedError if the user was signed out, or if the client or the application password stopped
   * working in the meantime
   */
  async issue(client: ConsumerKey, loggedIn: LoggedIn): Promise<IssuedTokens> {
    try {
      return await this.database.transaction((manager) => this.issueIn(manager, client, loggedIn));
    } catch (error) {
      throw error instanceof InvalidCredentialsError
        ? new TokenRefusedError('invalid_grant', 'The user was logged out everywhere: log in again')
        : error;
    }
  }

  /**
   * Exchanges a refresh token for new tokens. Access tokens from earlier exchanges stay valid.
   *
   * @throws TokenRefusedError if the refresh token is invalid or expired, or cannot be exchanged again,
   * or if the application password of the login does not work any more
   */
  async refresh(client: ConsumerKey, refreshToken: string): Promise<IssuedTokens> {
    const found = await this.tokens.findByRefreshToken(refreshToken);
    if (found === undefined || found.grant.consumerKeyId !== client.id) {
      throw invalidRefreshToken();
    }
    if (await this.tokens.isExpired(found.id)) {
      throw new TokenRefusedError('invalid_grant', 'Refresh token has expired');
    }
    const { id, grantId, passwordKeyId, grant } = found;
    return this.database.transaction(async (manager) => {
      const tokens = WallabagTokenRepository.in(manager);
      const user = await UserRepository.in(manager).lock(grant.userId);
      const isAlive = user?.disabledAt === null && (await isStillAllowed(manager, found));
      if (!isAlive || !(await tokens.exchange(id))) {
        throw invalidRefreshToken();
      }
      return tokens.issue(user.id, { grantId, passwordKeyId });
    });
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.tokens.sweep();
  }

  private async issueIn(
    manager: EntityManager,
    client: ConsumerKey,
    { user, passwordKeyId }: LoggedIn,
  ): Promise<IssuedTokens> {
    // If a user logs in twice in parallel, the lock makes the second login wait and reuse the grant of the first.
    await UserRepository.in(manager).lockSignedIn(user);
    const grantId = await this.grantOf(manager, client, user);
    if (!(await isUsable(manager, passwordKeyId))) {
      throw new TokenRefusedError('invalid_grant', 'Invalid username and password combination');
    }
    await AuditRepository.in(manager).login(user);
    return WallabagTokenRepository.in(manager).issue(user.id, { grantId, passwordKeyId });
  }

  /**
   * Returns the id of the grant that lets the client use the user's list. All logins of the user in this client share
   * one grant.
   */
  private async grantOf(manager: EntityManager, client: ConsumerKey, user: User): Promise<string> {
    const grants = GrantRepository.in(manager);
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
}

/** Returns true if the grant exists and the application password works. Locks both against deletion. */
async function isStillAllowed(
  manager: EntityManager,
  { grantId, passwordKeyId }: TokenOrigin,
): Promise<boolean> {
  const lock = { mode: 'for_key_share' } as const;
  const grant = await GrantRepository.in(manager).findOne({ where: { id: grantId }, lock });
  return grant !== null && isUsable(manager, passwordKeyId);
}

/** Returns true if the application password works. Null stands for the password of the account. */
const isUsable = async (manager: EntityManager, passwordKeyId: string | null): Promise<boolean> =>
  passwordKeyId === null || ConsumerKeyRepository.in(manager).lockUsable(passwordKeyId);

const invalidRefreshToken = (): TokenRefusedError =>
  new TokenRefusedError('invalid_grant', 'Invalid refresh token');
