import { Any, type FindOptionsWhere, IsNull, Raw } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { usersOnLivingServers } from '../../platform/database/living-servers.js';
import { OVER_ALL } from '../../platform/database/query-rows.js';
import { SharedItem } from '../entities/shared-item.entity.js';

/** An item of a user. */
export interface OwnedItem {
  readonly userId: string;
  readonly itemId: string;
}

/** How long and with what a public link shows an item. */
export interface ShareTerms {
  /** The number of days after which the link expires. `same` leaves the time at which an existing link expires. */
  readonly days: number | 'never' | 'same';
  readonly includesNote: boolean;
}

/** One page of the public links of a user. */
export interface SharePage {
  readonly count: number;
  readonly offset: number;
}

/** Returns the conditions of links that have not expired. The clock of the database decides for all instances. */
const active = (where: FindOptionsWhere<SharedItem>): FindOptionsWhere<SharedItem>[] => [
  { ...where, expiresAt: IsNull() },
  { ...where, expiresAt: Raw((column) => `${column} > now()`) },
];

const ownerOf =
  (accessId: Buffer) =>
  (part: string): string =>
    `SELECT user_id FROM ${part} WHERE access_id = decode('${accessId.toString('hex')}', 'hex')`;

const columnsOf = ({ days, includesNote }: ShareTerms) => ({
  includesNote,
  ...(days === 'never' && { expiresAt: null }),
  ...(typeof days === 'number' && { expiresAt: () => `now() + interval '${days} days'` }),
});

/** Stores the public links of items. */
export class SharedItemRepository extends CustomRepository<SharedItem> {
  static readonly entity = SharedItem;

  async activeOf({ userId, itemId }: OwnedItem): Promise<SharedItem | undefined> {
    return (await this.findOneBy(active({ userId, itemId }))) ?? undefined;
  }

  /** Returns the public links of those items that have one. */
  activeAmong(userId: string, itemIds: readonly string[]): Promise<SharedItem[]> {
    return itemIds.length === 0
      ? Promise.resolve([])
      : this.findBy(active({ userId, itemId: Any([...itemIds]) }));
  }

  /** Returns public links of a user, the newest first. */
  latest(userId: string, { count, offset }: SharePage): Promise<SharedItem[]> {
    return this.find({
      where: active({ userId }),
      order: { createdAt: 'DESC', itemId: 'DESC' },
      take: count,
      skip: offset,
    });
  }

  /**
   * On a distributed database, the statement runs on all servers, because the user is not known yet.
   * @throws an error of the database if a server is unreachable, and the other servers have no such link
   */
  async findByAccessId(accessId: Buffer): Promise<SharedItem | undefined> {
    try {
      return (await this.findOne({ where: active({ accessId }), comment: OVER_ALL })) ?? undefined;
    } catch (error) {
      const query = { table: 'shared_items', text: ownerOf(accessId) };
      const [userId] = await usersOnLivingServers(this.manager, error, query);
      if (userId === undefined) {
        throw error;
      }
      return (await this.findOneBy(active({ userId, accessId }))) ?? undefined;
    }
  }

  /** Stores a new link. An expired link of the item is replaced. */
  async begin(item: OwnedItem, accessId: Buffer, terms: ShareTerms): Promise<void> {
    const { userId, itemId } = item;
    await this.delete({ userId, itemId });
    await this.insert({ userId, itemId, accessId, ...columnsOf(terms) });
  }

  async change({ userId, itemId }: OwnedItem, terms: ShareTerms): Promise<void> {
    await this.update({ userId, itemId }, columnsOf(terms));
  }

  /** Deletes the links of these items, or all links of the user. Returns the ids of items whose link had not expired. */
  async end(userId: string, itemIds: readonly string[] | undefined): Promise<string[]> {
    const where = { userId, ...(itemIds !== undefined && { itemId: Any([...itemIds]) }) };
    const ended = await this.find({ select: { itemId: true }, where: active(where) });
    await this.delete(where);
    return ended.map(({ itemId }) => itemId);
  }
}
