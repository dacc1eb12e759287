import { Repository } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { queryWithLists } from '../../reading-list/list-summaries.js';
import type { FeedAccess } from './entities/feed-access.entity.js';
import { type FeedOwner, FIND_FEED_OWNER } from './feeds.sql.js';

type FoundOwner = Omit<FeedOwner, keyof ListSummary>;

/** The feed addresses of users; the stored part of an address is not enough to ask for a feed. */
export class FeedAccessRepository extends Repository<FeedAccess> {
  /** In the place of an earlier one. */
  async issue(userId: string, accessId: Buffer): Promise<void> {
    await this.upsert({ userId, accessId, issuedAt: () => 'now()' }, ['userId']);
  }

  async revoke(userId: string): Promise<void> {
    await this.update({ userId }, { accessId: null });
  }

  /** Undefined where there is no address. */
  async accessIdOf(userId: string): Promise<Buffer | undefined> {
    return (await this.findOneBy({ userId }))?.accessId ?? undefined;
  }

  /** Undefined for what is revoked, and for a user who is disabled. */
  async findOwner(accessId: Buffer): Promise<FeedOwner | undefined> {
    const [owner] = await queryWithLists<FoundOwner>(this.manager, FIND_FEED_OWNER, [accessId]);
    return owner;
  }
}
