import { Any, IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { Snapshot } from './snapshot.entity.js';

/** A snapshot without its HTML. */
export type SnapshotHead = Pick<Snapshot, 'snapshotId' | 'createdAt' | 'bytes'> & {
  readonly itemId: string;
};

/** One page of the snapshots of a user. */
export interface SnapshotPage {
  readonly count: number;
  readonly offset: number;
}

const HEAD = { snapshotId: true, itemId: true, createdAt: true, bytes: true } as const;
const LATEST_FIRST = { createdAt: 'DESC', snapshotId: 'DESC' } as const;

/** Stores the snapshots of pages. */
export class SnapshotRepository extends CustomRepository<Snapshot> {
  static readonly entity = Snapshot;

  /** Returns the snapshots of an item, the latest first. */
  async ofItem(userId: string, itemId: string): Promise<SnapshotHead[]> {
    const found = await this.find({ select: HEAD, where: { userId, itemId }, order: LATEST_FIRST });
    return headsOf(found);
  }

  /** Returns the snapshots of all items in the list, the latest first. */
  async latest(userId: string, { count, offset }: SnapshotPage): Promise<SnapshotHead[]> {
    const found = await this.find({
      select: HEAD,
      where: { userId, itemId: Not(IsNull()) },
      order: LATEST_FIRST,
      take: count,
      skip: offset,
    });
    return headsOf(found);
  }

  /** Returns the number of snapshots of all items in the list. */
  countOf(userId: string): Promise<number> {
    return this.countBy({ userId, itemId: Not(IsNull()) });
  }

  /** Returns the ids of the items in the list that have snapshots. */
  async itemIdsOf(userId: string): Promise<ReadonlySet<string>> {
    const found = await this.createQueryBuilder('snapshot')
      .select('DISTINCT snapshot.item_id', 'itemId')
      .where('snapshot.user_id = :userId AND snapshot.item_id IS NOT NULL', { userId })
      .getRawMany<{ itemId: string }>();
    return new Set(found.map(({ itemId }) => itemId));
  }

  async head(userId: string, snapshotId: string): Promise<SnapshotHead | undefined> {
    const found = await this.find({ select: HEAD, where: { userId, snapshotId } });
    return headsOf(found).at(0);
  }

  /** Returns the compressed HTML of a snapshot whose item is in the list. */
  async htmlOf(userId: string, snapshotId: string): Promise<Buffer | undefined> {
    const where = { userId, snapshotId, itemId: Not(IsNull()) };
    return (await this.findOne({ select: { html: true, snapshotId: true }, where }))?.html;
  }

  /** Moves the snapshots of items to the trash. The items must be there, and still in the list. */
  async moveToTrash(userId: string, itemIds: readonly string[]): Promise<void> {
    const moved = { itemId: null, trashedItemId: () => 'item_id' };
    await this.update({ userId, itemId: Any([...itemIds]) }, moved);
  }

  /** Moves the snapshots of items back to the list. The items must be there, and still in the trash. */
  async moveToList(userId: string, itemIds: readonly string[]): Promise<void> {
    const moved = { itemId: () => 'trashed_item_id', trashedItemId: null };
    await this.update({ userId, trashedItemId: Any([...itemIds]) }, moved);
  }

  /** Returns true if the trash has a snapshot. */
  hasTrashed(userId: string): Promise<boolean> {
    return this.existsBy({ userId, trashedItemId: Not(IsNull()) });
  }

  async moveToItem(userId: string, itemIds: readonly string[], to: string): Promise<void> {
    await this.update({ userId, itemId: Any([...itemIds]) }, { itemId: to });
  }

  /**
   * Keeps the snapshots of an item although the item is deleted next. Returns their ids. The caller must lock the list
   * first, and call `attach` in the same transaction.
   */
  async detach(userId: string, itemId: string): Promise<string[]> {
    const ids = (await this.ofItem(userId, itemId)).map(({ snapshotId }) => snapshotId);
    await this.update({ userId, itemId }, { itemId: null });
    return ids;
  }

  async attach(userId: string, snapshotIds: readonly string[], itemId: string): Promise<void> {
    if (snapshotIds.length > 0) {
      await this.update({ userId, snapshotId: Any([...snapshotIds]) }, { itemId });
    }
  }
}

const headsOf = (found: readonly Snapshot[]): SnapshotHead[] =>
  found.flatMap(({ snapshotId, itemId, createdAt, bytes }) =>
    itemId === null ? [] : [{ snapshotId, itemId, createdAt, bytes }],
  );
