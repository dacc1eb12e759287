import { LessThan } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { PageCursor, type Readers } from '../entities/page-cursor.entity.js';
import { FIND_CURSORS, LIFETIME, NOTE_CURSORS, USE_CURSOR } from './page-cursor.sql.js';

/**
 * Identifies the list to which a requested page belongs: the user, and a hash of the consumer key, the filters and the
 * sort order.
 */
export type Question = Pick<PageCursor, 'userId' | 'question'>;

/** The primary key of a cursor, which is the stored end of a page. */
export type CursorKey = Pick<PageCursor, 'userId' | 'question' | 'pageOffset' | 'version'>;

export type NewCursor = Omit<PageCursor, 'notedAt'>;

/**
 * A cursor (the stored end of a page) to mark as used, because the page after it is returned. `since` and `total` are
 * the values in the response with this page.
 */
interface UsedCursor extends CursorKey, Pick<PageCursor, 'since' | 'total'> {
  readonly wasLastPage: boolean;
}

/**
 * The maximum number of cursors per user. It keeps the table small, and is more than several clients
 * need at the same time.
 */
const MOST_OF_A_USER = 200;

/** Stores cursors, which are the ends of list pages. All instances of the service share the stored cursors. */
export class PageCursorRepository extends CustomRepository<PageCursor> {
  static readonly entity = PageCursor;

  /** Returns the cursors of a list request whose offset is at most `offset`. */
  findUpTo({ userId, question }: Question, offset: number): Promise<PageCursor[]> {
    return queryRows<PageCursor>(this.manager, FIND_CURSORS, [userId, question, offset]);
  }

  /**
   * Stores cursors. Returns for each cursor whether one client or several clients may continue from it. The
   * keys of `cursors` must be different.
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

  /** Marks a cursor as used, because a client has read the page after it. */
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
