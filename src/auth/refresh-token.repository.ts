import { randomBytes } from 'node:crypto';

import { Raw, Repository } from 'typeorm';

import { type RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';
import { hashOf } from './opaque-token.js';

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;
const REMEMBER_ROTATED_FOR = '30 days';

export const isRefreshToken = (text: string): boolean => TOKEN_SHAPE.test(text);

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The refresh tokens and those they have replaced; only their hashes are stored (docs/decisions/0004). */
export class RefreshTokenRepository extends Repository<RefreshToken> {
  /** Replaces the refresh token that the user had: a login begins a new family. */
  async issue(userId: string): Promise<string> {
    const token = newToken();
    const row = { userId, tokenHash: hashOf(token), issuedAt: () => 'now()' };
    await this.upsert(row, ['userId']);
    await this.manager.delete(RotatedRefreshToken, { userId });
    return token;
  }

  /** The user of this token, which may be rotated already. */
  async findOwner(token: string): Promise<string | undefined> {
    const tokenHash = hashOf(token);
    const found =
      (await this.findOneBy({ tokenHash })) ??
      (await this.manager.findOneBy(RotatedRefreshToken, { tokenHash }));
    return found?.userId;
  }

  /** Exchanges the current token for the next; undefined when it is not the current one any more. */
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

  /** Tells whether the token was rotated longer ago than two requests at once would explain. */
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
