import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, Raw, Repository } from 'typeorm';

import { Every } from '../../platform/jobs/every.js';
import { InvalidLinkError } from '../auth.errors.js';
import { LinkPurpose, OneTimeLink } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf, isOpaqueToken, newOpaqueToken } from '../opaque-token.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;
const LISTED = 200;

/** What a link is for, and how long it works. */
interface NewLink {
  readonly purpose: LinkPurpose;
  readonly userId?: string;
  /** In its canonical form; the link is for this address alone. */
  readonly email?: string;
  readonly createdBy?: string;
  readonly ttlSeconds: number;
}

/** Makes, finds and uses links that work once; only the hashes of their tokens are stored. */
@Injectable()
export class OneTimeLinks {
  constructor(@InjectRepository(OneTimeLink) private readonly links: Repository<OneTimeLink>) {}

  /** The token of a new link. */
  async make(
    { ttlSeconds, ...link }: NewLink,
    manager: EntityManager = this.links.manager,
  ): Promise<string> {
    const token = newOpaqueToken();
    await manager
      .getRepository(OneTimeLink)
      .createQueryBuilder()
      .insert()
      .values({
        ...link,
        tokenHash: hashOf(token),
        expiresAt: () => 'now() + make_interval(secs => :ttlSeconds)',
      })
      .setParameter('ttlSeconds', ttlSeconds)
      .execute();
    return token;
  }

  /** The link, if it is not used and not expired; it stays usable. */
  async find(purpose: LinkPurpose, token: string): Promise<OneTimeLink | undefined> {
    return isOpaqueToken(token)
      ? ((await this.links.findOneBy({ ...live(purpose), tokenHash: hashOf(token) })) ?? undefined)
      : undefined;
  }

  /** The user of a link that still works, while the account is enabled. Throws InvalidLinkError. */
  async userOf(purpose: LinkPurpose, token: string): Promise<User> {
    const link = isOpaqueToken(token)
      ? await this.links.findOne({
          where: { ...live(purpose), tokenHash: hashOf(token) },
          relations: { user: true },
        })
      : null;
    if (link?.user?.disabledAt !== null) {
      throw new InvalidLinkError();
    }
    return link.user;
  }

  /** The newest links of a purpose that still work, 200 at most. */
  list(purpose: LinkPurpose): Promise<OneTimeLink[]> {
    return this.links.find({
      where: live(purpose),
      relations: { creator: true },
      order: { createdAt: 'DESC', tokenHash: 'ASC' },
      take: LISTED,
    });
  }

  /**
   * The link, which is used up when the transaction is committed; undefined where it does not work any more. The lock
   * lets one of two callers at once have it; a transaction that is rolled back leaves the link usable.
   */
  async use(
    manager: EntityManager,
    purpose: LinkPurpose,
    token: string,
  ): Promise<OneTimeLink | undefined> {
    const where = { ...live(purpose), tokenHash: hashOf(token) };
    const link = isOpaqueToken(token)
      ? await manager.findOne(OneTimeLink, { where, lock: { mode: 'pessimistic_write' } })
      : null;
    if (link === null) {
      return undefined;
    }
    await manager.delete(OneTimeLink, { tokenHash: link.tokenHash });
    return link;
  }

  /** Ends the links of a user, as a changed password ends those that reset it. */
  async endFor(manager: EntityManager, userId: string, purpose: LinkPurpose): Promise<void> {
    await manager.delete(OneTimeLink, { userId, purpose });
  }

  /** Ends one link, which is named by the hash of its token. */
  async revoke(purpose: LinkPurpose, tokenHash: Buffer): Promise<void> {
    await this.links.delete({ purpose, tokenHash });
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.links.delete({ expiresAt: Raw((column) => `${column} < now()`) });
  }
}

const live = (purpose: LinkPurpose): FindOptionsWhere<OneTimeLink> => ({
  purpose,
  expiresAt: Raw((column) => `${column} > now()`),
});
