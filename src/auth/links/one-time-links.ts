import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, Raw, Repository } from 'typeorm';

import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import { Every } from '../../platform/jobs/every.js';
import { InvalidLinkError } from '../auth.errors.js';
import { LinkPurpose, OneTimeLink } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf, isOpaqueToken } from '../opaque-token.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;
const LISTED = 200;
const TOKEN_BYTES = 16;
const TOKEN_SHAPE = /^[0-9a-f]{32}$/;

/**
 * Returns a token with 128 random bits (OWASP ASVS 5.0, 11.5.1). It has only letters and digits, so that programs for
 * mail recognize the end of the link.
 */
const newToken = (): string => randomBytes(TOKEN_BYTES).toString('hex');

/** Returns true for the shape of a token, and for the shape of the tokens of earlier versions. */
const isToken = (text: string): boolean => TOKEN_SHAPE.test(text) || isOpaqueToken(text);

/** The properties of a new one-time link. */
interface NewLink {
  readonly purpose: LinkPurpose;
  readonly userId?: string;
  /**
   * The canonical form of the only email address that may use the link. Undefined if every address
   * may use it.
   */
  readonly email?: string;
  readonly createdBy?: string;
  readonly ttlSeconds: number;
}

/** Creates, finds and deletes links that work once. Only the hashes of their tokens are stored. */
@Injectable()
export class OneTimeLinks {
  constructor(@InjectRepository(OneTimeLink) private readonly links: Repository<OneTimeLink>) {}

  /** Stores a one-time link and returns its generated token. */
  async make(
    { ttlSeconds, ...link }: NewLink,
    manager: EntityManager = this.links.manager,
  ): Promise<string> {
    const token = newToken();
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

  /**
   * Returns the link with this token if it is neither used nor expired. Does not mark the link as
   * used.
   */
  async find(purpose: LinkPurpose, token: string): Promise<OneTimeLink | undefined> {
    return isToken(token)
      ? ((await this.links.findOneBy({ ...live(purpose), tokenHash: hashOf(token) })) ?? undefined)
      : undefined;
  }

  /**
   * Returns the user of the link with this token.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is disabled.
   */
  async userOf(purpose: LinkPurpose, token: string): Promise<User> {
    const link = isToken(token)
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

  /** Returns the newest link of a user with this purpose that is neither used nor expired. */
  async latestOf(purpose: LinkPurpose, userId: string): Promise<OneTimeLink | undefined> {
    const [latest] = await this.links.find({
      where: { ...live(purpose), userId },
      order: { createdAt: 'DESC' },
      take: 1,
    });
    return latest;
  }

  /** Returns the newest 200 links with this purpose that are neither used nor expired. */
  list(purpose: LinkPurpose): Promise<OneTimeLink[]> {
    return this.links.find({
      where: live(purpose),
      relations: { creator: true },
      order: { createdAt: 'DESC', tokenHash: 'ASC' },
      take: LISTED,
    });
  }

  /**
   * Deletes a link and returns it. Returns undefined if the link is unknown, used or expired. A row
   * lock ensures that only one of several parallel calls succeeds. If the transaction is rolled
   * back, the link still works.
   */
  async use(
    manager: EntityManager,
    purpose: LinkPurpose,
    token: string,
  ): Promise<OneTimeLink | undefined> {
    const where = { ...live(purpose), tokenHash: hashOf(token) };
    const link = isToken(token)
      ? await manager.findOne(OneTimeLink, { where, lock: { mode: 'pessimistic_write' } })
      : null;
    if (link === null) {
      return undefined;
    }
    await manager.delete(OneTimeLink, { tokenHash: link.tokenHash });
    return link;
  }

  /** Deletes all links of a user with this purpose. */
  async endFor(manager: EntityManager, userId: string, purpose: LinkPurpose): Promise<void> {
    await manager.delete(OneTimeLink, { userId, purpose });
  }

  /** Deletes the link whose token has this hash. Returns false if there is none. */
  async revoke(purpose: LinkPurpose, tokenHash: Buffer): Promise<boolean> {
    const { affected } = await this.links.delete({ purpose, tokenHash });
    return affected === 1;
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await deleteInBatches(this.links, { expiresAt: Raw((column) => `${column} < now()`) });
  }
}

const live = (purpose: LinkPurpose): FindOptionsWhere<OneTimeLink> => ({
  purpose,
  expiresAt: Raw((column) => `${column} > now()`),
});
