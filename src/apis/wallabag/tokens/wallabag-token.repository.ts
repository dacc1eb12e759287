import { randomBytes } from 'node:crypto';

import { Raw, Repository } from 'typeorm';

import type { ListSummary } from '../../../auth/consumers/caller-lists.js';
import type { PasswordHolderRow } from '../../../auth/consumers/consumer-key.repository.js';
import { hashOf } from '../../../auth/opaque-token.js';
import { queryRows } from '../../../platform/database/query-rows.js';
import { queryWithLists } from '../../../reading-list/list-summaries.js';
import type { WallabagToken } from '../entities/wallabag-token.entity.js';
import {
  EXCHANGE_REFRESH_TOKEN,
  FIND_WALLABAG_CALLER,
  FORGET_OLDEST_TOKENS,
} from './wallabag-tokens.sql.js';

/**
 * The lifetime of an access token in seconds. A .NET client always assumes one hour, even if the answer contains
 * another lifetime.
 */
export const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 14 * 24 * 60 * 60;
/** The time in seconds within which a refresh token can be exchanged a second time. */
const LEEWAY_SECONDS = 60;
/**
 * The maximum number of tokens of a user. A client that logs in at each sync, every hour for fourteen days, has 336
 * tokens.
 */
const MOST_OF_A_USER = 500;
const TOKEN_BYTES = 32;

/** The client and the user of an access token, and the summary of that user's list. */
export interface WallabagCallerRow extends PasswordHolderRow {
  readonly name: string;
  readonly email: string;
  readonly created_at: Date;
  readonly is_expired: boolean;
}

type FoundCaller = Omit<WallabagCallerRow, keyof ListSummary>;

/** Issued tokens in plain text. The tokens are returned only once, because the database contains only their hashes. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Returns a new token that clients can send without encoding. Unlike a JWT, the token has no dot. */
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const PAST = Raw((column) => `${column} <= now()`);

const seconds = (count: number) => () => `now() + interval '${count} seconds'`;

/** Queries over the tokens of wallabag's clients (docs/decisions/0070). */
export class WallabagTokenRepository extends Repository<WallabagToken> {
  /**
   * Returns the caller of an access token. Returns undefined if the token is unknown or revoked, or if the client or
   * the user is disabled.
   */
  async findCaller(accessToken: string): Promise<WallabagCallerRow | undefined> {
    const values = [hashOf(accessToken)];
    const [caller] = await queryWithLists<FoundCaller>(this.manager, FIND_WALLABAG_CALLER, values);
    return caller;
  }

  /**
   * Issues new tokens. Older tokens stay valid until the user has too many tokens. The caller of this method must have
   * locked the user.
   */
  async issue(userId: string, grantId: string): Promise<IssuedTokens> {
    const tokens = { accessToken: newToken(), refreshToken: newToken() };
    await this.insert({
      grantId,
      accessHash: hashOf(tokens.accessToken),
      accessExpiresAt: seconds(ACCESS_SECONDS),
      refreshHash: hashOf(tokens.refreshToken),
      refreshExpiresAt: seconds(REFRESH_SECONDS),
    });
    await queryRows(this.manager, FORGET_OLDEST_TOKENS, [userId, MOST_OF_A_USER]);
    return tokens;
  }

  /** Returns the token with this refresh token, including its grant and user. */
  async findByRefreshToken(refreshToken: string): Promise<WallabagToken | undefined> {
    const [token] = await this.find({
      where: { refreshHash: hashOf(refreshToken) },
      relations: { grant: { user: true } },
    });
    return token;
  }

  isExpired(id: string): Promise<boolean> {
    return this.existsBy({ id, refreshExpiresAt: PAST });
  }

  /**
   * Exchanges a refresh token. Returns false if the token is used up. wallabag's Android app refreshes tokens from two
   * independent workers. If the second worker calls soon after the first, it gets tokens too.
   */
  async exchange(id: string): Promise<boolean> {
    const rows = await queryRows(this.manager, EXCHANGE_REFRESH_TOKEN, [id, LEEWAY_SECONDS]);
    return rows.length === 1;
  }

  /**
   * Deletes tokens whose access token and refresh token have expired or are used up. Waits a day before the deletion,
   * so that clients learn that their tokens expired.
   */
  async sweep(): Promise<void> {
    const aDayAgo = Raw((column) => `${column} < now() - interval '1 day'`);
    await this.delete({ accessExpiresAt: aDayAgo, refreshExpiresAt: PAST });
    await this.delete({ accessExpiresAt: aDayAgo, refreshedAt: aDayAgo });
  }
}
