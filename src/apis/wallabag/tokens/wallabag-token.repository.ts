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

/** How long an access token is valid; a client of .NET assumes this hour whatever it is told. */
export const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 14 * 24 * 60 * 60;
/** Within which a refresh token works once more. */
const LEEWAY_SECONDS = 60;
/** A client that logs in at each sync, every hour for fourteen days, has 336. */
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

/** What is handed out once; only hashes are stored. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Text that clients may send unencoded, and without the dot that is in a JWT. */
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const PAST = Raw((column) => `${column} <= now()`);

const seconds = (count: number) => () => `now() + interval '${count} seconds'`;

/** The tokens of wallabag's clients (docs/decisions/0070). */
export class WallabagTokenRepository extends Repository<WallabagToken> {
  /** Undefined for a token that is unknown or revoked, and where client or user are disabled. */
  async findCaller(accessToken: string): Promise<WallabagCallerRow | undefined> {
    const values = [hashOf(accessToken)];
    const [caller] = await queryWithLists<FoundCaller>(this.manager, FIND_WALLABAG_CALLER, values);
    return caller;
  }

  /** Beside those that there are: no new token ends an older one, until there are too many. The caller has locked the user. */
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

  /** With the grant, its client and its user. */
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
   * Takes a refresh token; false when it is used up. wallabag's Android app refreshes from two workers that know nothing
   * of each other: the one that comes second, soon after the first, is no thief and gets tokens too.
   */
  async exchange(id: string): Promise<boolean> {
    const rows = await queryRows(this.manager, EXCHANGE_REFRESH_TOKEN, [id, LEEWAY_SECONDS]);
    return rows.length === 1;
  }

  /** Forgets the tokens of which neither part works any more; a day later, so that clients are told that they expired. */
  async sweep(): Promise<void> {
    const aDayAgo = Raw((column) => `${column} < now() - interval '1 day'`);
    await this.delete({ accessExpiresAt: aDayAgo, refreshExpiresAt: PAST });
    await this.delete({ accessExpiresAt: aDayAgo, refreshedAt: aDayAgo });
  }
}
