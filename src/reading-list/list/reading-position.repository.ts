import { Any } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ReadingPosition } from '../entities/reading-position.entity.js';
import { KEEP_POSITION } from './reading-position.sql.js';

/** A reading position that a device reports. */
export interface NewPosition {
  /** The part of the article that the user has read: 0 at the beginning, 1 at the end. */
  readonly fraction: number;
  /**
   * The index of the paragraph at the top of the screen, starting at 0. Undefined if the device sent only the fraction.
   */
  readonly paragraph: number | undefined;
  /** The time at which the user reached the position, in milliseconds by the clock of the device. */
  readonly atMs: number;
}

interface PlaceOfReader {
  readonly userId: string;
  readonly itemId: string;
}

/** Stores how far users have read their articles. */
export class ReadingPositionRepository extends CustomRepository<ReadingPosition> {
  static readonly entity = ReadingPosition;

  /**
   * Stores the position. Returns false if a later position is already stored, or if the user does not have the item.
   */
  async keep(
    { userId, itemId }: PlaceOfReader,
    position: NewPosition,
    nowMs: number,
  ): Promise<boolean> {
    const { fraction, paragraph, atMs } = position;
    const values = [userId, itemId, fraction, paragraph ?? null, atMs, nowMs];
    return (await queryRows(this.manager, KEEP_POSITION, values)).length > 0;
  }

  async of({ userId, itemId }: PlaceOfReader): Promise<ReadingPosition | undefined> {
    return (await this.findOneBy({ userId, itemId })) ?? undefined;
  }

  /** Returns the positions in those items that the user has begun to read, in any order. */
  async ofItems(userId: string, itemIds: readonly string[]): Promise<ReadingPosition[]> {
    return itemIds.length === 0 ? [] : this.findBy({ userId, itemId: Any([...itemIds]) });
  }

  /**
   * Returns the fraction that the user has read of each item, from 0 to 1. Leaves out items that the user has not begun
   * to read. The keys are item ids.
   */
  async fractionsOf(
    userId: string,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.ofItems(userId, itemIds);
    return new Map(rows.map(({ itemId, fraction }) => [itemId, fraction]));
  }
}
