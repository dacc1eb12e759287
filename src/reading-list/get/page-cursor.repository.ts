import { LessThan, Repository } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import type { PageCursor, Readers } from '../entities/page-cursor.entity.js';
import { FIND_CURSORS, LIFETIME, NOTE_CURSORS, USE_CURSOR } from './page-cursor.sql.js';

/** Identifies a repeated list request: the user, and a hash of the request without its offset and count. */
export type Question = Pick<PageCursor, 'userId' | 'question'>;

/** The primary key of a cursor, which is the stored end of a page. */
export type CursorKey = Pick<PageCursor, 'userId' | 'question' | 'pageOffset' | 'version'>;

export type NewCursor = Omit<PageCursor, 'notedAt'>;

/**
 * A cursor (the stored end of a page) that a later page uses up. `since` and `total` are the values that this later
 * page returns.
 */
interface UsedCursor extends CursorKey, Pick<PageCursor, 'since' | 'total'> {
  readonly wasLastPage: boolean;
}

/**
 * The maximum number of stored page ends (cursors) per user. Several clients at the same time need fewer cursors, and
 * the table stays small.
 */
const MOST_OF_A_USER = 200;

/** Stores cursors, the ends of pages of lists. All instances of the service share them. */
export class PageCursorRepository extends Repository<PageCursor> {
  /** Returns the stored page ends of a request, at the offset and at smaller offsets. */
  findUpTo({ userId, question }: Question, offset: number): Promise<PageCursor[]> {
    return queryRows<PageCursor>(this.manager, FIND_CURSORS, [userId, question, offset]);
  }

  /**
   * Stores page ends (cursors). Returns for each cursor whether one client or several clients may continue from it.
   * Each key may occur only once in `cursors`.
   */
  note(cursors: readonly NewCursor[]): Promise<(CursorKey & { readonly readers: Readers })[]> {
    return queryRows(this.manager, NOTE_CURSORS, [
      cursors.map(({ userId }) => userId),
      cursors.map(({ question }) => question),
      cursors.map(({ pageOffset }) => pageOffset),
      cursors.map(({ version }) => version),
      cursors.map(({ position }) => position),
      cursors.map(({ since }) => since),
      cursors.map(({ total }) => total),
      cursors.map(({ readers }) => readers),
    ]);
  }

  /** Marks the cursor with this version and offset as used by one client. */
  async use(used: UsedCursor): Promise<void> {
    const { userId, question, pageOffset, version, since, total, wasLastPage } = used;
    const readers: Readers = wasLastPage ? -1 : 0;
    const values = [userId, question, pageOffset, version, since, total, readers];
    await queryRows(this.manager, USE_CURSOR, values);
  }

  /** Deletes the oldest cursors of a user with more than MOST_OF_A_USER cursors. */
  async trim(userId: string): Promise<void> {
    const [oldest] = await this.find({
      select: { userId: true, question: true, pageOffset: true, version: true, notedAt: true },
      where: { userId },
      order: { notedAt: 'DESC' },
      skip: MOST_OF_A_USER,
      take: 1,
    });
    if (oldest !== undefined) {
      await this.delete({ userId, notedAt: LessThan(oldest.notedAt) });
    }
  }

  async sweep(): Promise<void> {
    await this.createQueryBuilder().delete().where(`notedAt < now() - ${LIFETIME}`).execute();
  }
}
