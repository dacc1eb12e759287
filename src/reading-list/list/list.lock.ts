import type { EntityManager } from 'typeorm';

import { violates } from '../../database/database-fault.js';
import { run } from '../../database/statements.js';
import { OwnerGoneError } from './list.errors.js';

/** A list whose row is locked until the transaction ends. */
export interface LockedList {
  /** What everything that this transaction changes is stamped with. */
  readonly nextStamp: string;
  readonly itemCount: number;
  /** How many times items were added so far. */
  readonly additions: number;
  readonly hasSearchIndex: boolean;
}

/**
 * The logical second (docs/decisions/0015): never behind the clock, and later than every earlier change of the
 * list. The clock is read when the row is locked, not before: readers rely on it (docs/decisions/0034), and on this
 * lock suffering no other beside it, not even that of a transaction which refers to the list.
 */
const LOCK = `
    SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1) AS next_stamp,
           item_count, additions::float8 AS additions, has_search_index
    FROM (SELECT * FROM lists WHERE user_id = $1 FOR UPDATE) locked`;

/** A list that does not exist yet is nobody's. */
const IS_LOCKED = `
    SELECT EXISTS (SELECT FROM lists WHERE user_id = $1) AND NOT EXISTS (
      SELECT FROM (SELECT FROM lists WHERE user_id = $1 FOR UPDATE SKIP LOCKED) free) AS is_locked`;

/** Its changes come after all that clients know from before a restore (docs/decisions/0033). */
const CREATE = `
    INSERT INTO lists (user_id, stamp) SELECT $1::bigint, coalesce(max(begins), 0) FROM sync_eras
    ON CONFLICT (user_id) DO NOTHING`;

interface ListRow {
  readonly next_stamp: string;
  readonly item_count: number;
  readonly additions: number;
  readonly has_search_index: boolean;
}

/** Locks the list, which everybody who changes it does first; a list begins with its first change. Throws OwnerGoneError. */
export async function lockList(manager: EntityManager, userId: string): Promise<LockedList> {
  return (await lockBegunList(manager, userId)) ?? beginList(manager, userId);
}

/** Whether somebody else has the list locked at this moment. Waits for nobody, and outside a transaction locks nothing. */
export async function isListLocked(manager: EntityManager, userId: string): Promise<boolean> {
  const [row] = await run<{ is_locked: boolean }>(manager, { text: IS_LOCKED, values: [userId] });
  return row?.is_locked === true;
}

/** Undefined for a list that nobody has begun. */
export async function lockBegunList(
  manager: EntityManager,
  userId: string,
): Promise<LockedList | undefined> {
  const [row] = await run<ListRow>(manager, { text: LOCK, values: [userId] });
  return (
    row && {
      nextStamp: row.next_stamp,
      itemCount: row.item_count,
      additions: row.additions,
      hasSearchIndex: row.has_search_index,
    }
  );
}

/** Somebody else may begin it at the same moment, and write to it. Throws OwnerGoneError. */
export async function beginList(manager: EntityManager, userId: string): Promise<LockedList> {
  await createList(manager, userId);
  const list = await lockBegunList(manager, userId);
  if (list === undefined) {
    throw new OwnerGoneError();
  }
  return list;
}

/** Makes the list, unless it is there. Throws OwnerGoneError. */
export async function createList(manager: EntityManager, userId: string): Promise<void> {
  try {
    await run(manager, { text: CREATE, values: [userId] });
  } catch (error) {
    throw violates(error, 'lists_user_id_fkey') ? new OwnerGoneError() : error;
  }
}
