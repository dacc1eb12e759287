import { randomBytes } from 'node:crypto';

import { Raw } from 'typeorm';

import type { ListSummary } from '../../../auth/consumers/caller-lists.js';
import type { PasswordHolderRow } from '../../../auth/consumers/consumer-key.repository.js';
import { hashOf } from '../../../auth/opaque-token.js';
import { CustomRepository } from '../../../platform/database/custom-repository.js';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.js';
import { queryRows } from '../../../platform/database/query-rows.js';
import { queryWithList } from '../../../reading-list/list-summaries.js';
import { WallabagToken } from '../entities/wallabag-token.entity.js';
import {
  EXCHANGE_REFRESH_TOKEN,
  FIND_WALLABAG_CALLER,
  FORGET_OLDEST_TOKENS,
} from './wallabag-tokens.sql.js';

/**
 * The lifetime of an access token in seconds. The lifetime is one hour, because one .NET client always assumes one
 * hour, even if the response contains another lifetime.
 */
export const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 14 * 24 * 60 * 60;
/**
 * For this number of seconds after its first exchange, a refresh token can be exchanged once more.
 */
const LEEWAY_SECONDS = 60;
/**
 * The maximum number of tokens per user. A client that logs in every hour needs 336 tokens in fourteen days, which is
 * the lifetime of a refresh token.
 */
const MOST_OF_A_USER = 500;
const TOKEN_BYTES = 32;

/** The client and the user of an access token, with the version and counters of the user's list. */
export interface WallabagCallerRow extends PasswordHolderRow {
  readonly name: string;
  readonly email: string;
  readonly created_at: Date;
  readonly is_expired: boolean;
}

type FoundCaller = Omit<WallabagCallerRow, keyof ListSummary>;

/** The grant of new tokens, and the application password of the login. */
export type TokenOrigin = Pick<WallabagToken, 'grantId' | 'passwordKeyId'>;

/** Newly issued tokens in plain text. They are returned only once, because the database contains only their hashes. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/**
 * Returns a random token with only characters that clients can send without encoding. Unlike a JWT, the token contains
 * no dot.
 */
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const PAST = Raw((column) => `${column} <= now()`);

const seconds = (count: number) => () => `now() + interval '${count} seconds'`;

/** Queries the tokens of apps made for wallabag (docs/decisions/0070). */
export class WallabagTokenRepository extends CustomRepository<WallabagToken> {
  static readonly entity = WallabagToken;

  /**
   * Returns the client and the user of an access token. Returns undefined if the token is unknown or revoked, if the
   * client or the application password is disabled or expired, or if the user is disabled.
   */
  async findCaller(accessToken: string): Promise<WallabagCallerRow | undefined> {
    const values = [hashOf(accessToken)];
    return queryWithList<FoundCaller>(this.manager, FIND_WALLABAG_CALLER, values);
  }

  /**
   * Issues new tokens. If the user then has more tokens than the maximum, deletes the oldest tokens. The caller must
   * have locked the user.
   */
  async issue(userId: string, origin: TokenOrigin): Promise<IssuedTokens> {
    const tokens = { accessToken: newToken(), refreshToken: newToken() };
    await this.insert({
      ...origin,
      accessHash: hashOf(tokens.accessToken),
      accessExpiresAt: seconds(ACCESS_SECONDS),
      refreshHash: hashOf(tokens.refreshToken),
      refreshExpiresAt: seconds(REFRESH_SECONDS),
    });
    await queryRows(this.manager, FORGET_OLDEST_TOKENS, [userId, MOST_OF_A_USER]);
    return tokens;
  }

  /** Returns the row of a refresh token, with its user. */
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
   * Exchanges a refresh token. The same token can be exchanged a second time within one minute, because wallabag's
   * Android app refreshes tokens from two independent workers. Returns false if the token is expired or cannot be
   * exchanged again.
   */
  async exchange(id: string): Promise<boolean> {
    const rows = await queryRows(this.manager, EXCHANGE_REFRESH_TOKEN, [id, LEEWAY_SECONDS]);
    return rows.length === 1;
  }

  /**
   * Deletes tokens whose access token expired more than a day ago, if the refresh token has expired
   * or was exchanged more than a day ago. Until then, a client that sends the access token gets the
   * message that it has expired.
   */
  async sweep(): Promise<void> {
    const aDayAgo = Raw((column) => `${column} < now() - interval '1 day'`);
    await deleteInBatches(this, [
      { accessExpiresAt: aDayAgo, refreshExpiresAt: PAST },
      { accessExpiresAt: aDayAgo, refreshedAt: aDayAgo },
    ]);
  }
}
