import { Any, Repository } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import type { ReadingPosition } from '../entities/reading-position.entity.js';
import { KEEP_POSITION } from './reading-position.sql.js';

/** A reading position that a device reports. */
export interface NewPosition {
  /** 0 at the beginning, 1 at the end. */
  readonly fraction: number;
  /** Counted from 0; undefined if only the fraction is known. */
  readonly paragraph: number | undefined;
  /** By the clock of the device. */
  readonly atMs: number;
}

interface PlaceOfReader {
  readonly userId: string;
  readonly itemId: string;
}

/** The reading positions of users. */
export class ReadingPositionRepository extends Repository<ReadingPosition> {
  /** Stores the position. Returns false if a later position is stored, or the user has no such item. */
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

  /** Returns the fractions from 0 to 1 of the items that the user has begun to read, by item id. */
  async fractionsOf(
    userId: string,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows =
      itemIds.length === 0 ? [] : await this.findBy({ userId, itemId: Any([...itemIds]) });
    return new Map(rows.map(({ itemId, fraction }) => [itemId, fraction]));
  }
}
