import { IsNull, Not } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryWithList } from '../../reading-list/list-summaries.js';
import { FeedAccess } from './entities/feed-access.entity.js';
import { type FeedOwner, FIND_FEED_OWNER } from './feeds.sql.js';

type FoundOwner = Omit<FeedOwner, keyof ListSummary>;

/**
 * Queries the feed addresses of users. The database contains only a part of each address, which is not enough to fetch
 * a feed.
 */
export class FeedAccessRepository extends CustomRepository<FeedAccess> {
  static readonly entity = FeedAccess;

  /** Stores a new feed address, which replaces the user's earlier address. */
  async issue(userId: string, accessId: Buffer): Promise<void> {
    await this.upsert({ userId, accessId, issuedAt: () => 'now()' }, ['userId']);
  }

  /**
   * Stores a feed address for a user who has none. Keeps an address that another call has stored in the meantime.
   * Returns true if the address was stored.
   */
  async issueFirst(userId: string, accessId: Buffer): Promise<boolean> {
    await this.createQueryBuilder()
      .insert()
      .values({ userId, accessId, issuedAt: () => 'now()' })
      .orIgnore()
      .execute();
    await this.update({ userId, accessId: IsNull() }, { accessId, issuedAt: () => 'now()' });
    return (await this.accessIdOf(userId))?.equals(accessId) === true;
  }

  /** Revokes the feed address of a user. Returns false if there is none. */
  async revoke(userId: string): Promise<boolean> {
    const { affected } = await this.update({ userId, accessId: Not(IsNull()) }, { accessId: null });
    return affected === 1;
  }

  /** Returns the stored part of a user's feed address, or undefined if the user has no feed address. */
  async accessIdOf(userId: string): Promise<Buffer | undefined> {
    return (await this.findOneBy({ userId }))?.accessId ?? undefined;
  }

  /** Returns the user of a feed address. Returns undefined if the address is revoked or the user is disabled. */
  async findOwner(accessId: Buffer): Promise<FeedOwner | undefined> {
    const owner = await queryWithList<FoundOwner>(this.manager, FIND_FEED_OWNER, [accessId]);
    return owner;
  }
}
