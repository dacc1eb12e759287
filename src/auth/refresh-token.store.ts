import { createHash, randomBytes } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;
const REMEMBER_ROTATED_FOR = '30 days';

export const isRefreshToken = (text: string): boolean => TOKEN_SHAPE.test(text);

/** 256 random bits need no slow hash: a plain SHA-256 cannot be turned back. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The refresh tokens, seen through one connection; only their hashes are stored (docs/decisions/0004). */
export class RefreshTokenStore {
  constructor(private readonly manager: EntityManager) {}

  /** Replaces whatever refresh token the user had: a login begins a new family. */
  async issue(userId: string): Promise<string> {
    const token = newToken();
    await this.manager.upsert(
      RefreshToken,
      { userId, tokenHash: hashOf(token), issuedAt: () => 'now()' },
      ['userId'],
    );
    await this.manager.delete(RotatedRefreshToken, { userId });
    return token;
  }

  /** The user whose token this is, or was before it was rotated. */
  async findOwner(token: string): Promise<string | undefined> {
    const tokenHash = hashOf(token);
    const found =
      (await this.manager.findOneBy(RefreshToken, { tokenHash })) ??
      (await this.manager.findOneBy(RotatedRefreshToken, { tokenHash }));
    return found?.userId;
  }

  /** Exchanges the current token for the next; undefined when it is not the current one any more. */
  async rotate(userId: string, token: string): Promise<string | undefined> {
    const next = newToken();
    const { affected } = await this.manager.update(
      RefreshToken,
      { userId, tokenHash: hashOf(token) },
      { tokenHash: hashOf(next), issuedAt: () => 'now()' },
    );
    if (affected !== 1) {
      return undefined;
    }
    await this.manager.insert(RotatedRefreshToken, { tokenHash: hashOf(token), userId });
    await this.forgetOldRotations(userId);
    return next;
  }

  /** Tells whether the token was rotated longer ago than two requests at once would explain. */
  wasRotatedBefore(userId: string, token: string, leewaySeconds: number): Promise<boolean> {
    return this.manager
      .createQueryBuilder(RotatedRefreshToken, 'rotated')
      .where('rotated.tokenHash = :hash AND rotated.userId = :userId', {
        hash: hashOf(token),
        userId,
      })
      .andWhere('rotated.rotatedAt < now() - make_interval(secs => :leewaySeconds)', {
        leewaySeconds,
      })
      .getExists();
  }

  async deleteAll(userId: string): Promise<void> {
    await this.manager.delete(RefreshToken, { userId });
    await this.manager.delete(RotatedRefreshToken, { userId });
  }

  private async forgetOldRotations(userId: string): Promise<void> {
    await this.manager
      .createQueryBuilder()
      .delete()
      .from(RotatedRefreshToken)
      .where('user_id = :userId', { userId })
      .andWhere(`rotated_at < now() - interval '${REMEMBER_ROTATED_FOR}'`)
      .execute();
  }
}
