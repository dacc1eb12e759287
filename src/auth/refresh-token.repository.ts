import { randomBytes } from 'node:crypto';

import { Raw } from 'typeorm';

import { CustomRepository } from '../platform/database/custom-repository.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';
import { hashOf } from './opaque-token.js';

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;
const REMEMBER_ROTATED_FOR = '30 days';

export const isRefreshToken = (text: string): boolean => TOKEN_SHAPE.test(text);

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Stores the current refresh token of each user, and the tokens that were exchanged before. Only the hashes of the
 * tokens are stored (docs/decisions/0004).
 */
export class RefreshTokenRepository extends CustomRepository<RefreshToken> {
  static readonly entity = RefreshToken;

  /** Issues a refresh token at a login, and invalidates all earlier refresh tokens of the user. */
  async issue(userId: string): Promise<string> {
    const token = newToken();
    const row = { userId, tokenHash: hashOf(token), issuedAt: () => 'now()' };
    await this.upsert(row, ['userId']);
    await this.manager.delete(RotatedRefreshToken, { userId });
    return token;
  }

  /** Returns the id of the user of a refresh token, even if the token was already exchanged. */
  async findOwner(token: string): Promise<string | undefined> {
    const tokenHash = hashOf(token);
    const found =
      (await this.findOneBy({ tokenHash })) ??
      (await this.manager.findOneBy(RotatedRefreshToken, { tokenHash }));
    return found?.userId;
  }

  /**
   * Exchanges the user's current refresh token for the next one. Returns undefined if the token is no longer the user's
   * current refresh token.
   */
  async rotate(userId: string, token: string): Promise<string | undefined> {
    const next = newToken();
    const { affected } = await this.update(
      { userId, tokenHash: hashOf(token) },
      { tokenHash: hashOf(next), issuedAt: () => 'now()' },
    );
    if (affected !== 1) {
      return undefined;
    }
    await this.manager.insert(RotatedRefreshToken, { tokenHash: hashOf(token), userId });
    await this.manager.delete(RotatedRefreshToken, {
      userId,
      rotatedAt: Raw((column) => `${column} < now() - interval '${REMEMBER_ROTATED_FOR}'`),
    });
    return next;
  }

  /**
   * Returns true if the refresh token was exchanged more than `leewaySeconds` ago. A reuse before
   * that is no sign of theft, because two parallel requests may have sent the same token.
   */
  wasRotatedBefore(userId: string, token: string, leewaySeconds: number): Promise<boolean> {
    return this.manager.existsBy(RotatedRefreshToken, {
      userId,
      tokenHash: hashOf(token),
      rotatedAt: Raw((column) => `${column} < now() - make_interval(secs => :leewaySeconds)`, {
        leewaySeconds,
      }),
    });
  }
}
