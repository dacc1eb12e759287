import type { EntityManager } from 'typeorm';

import { violates } from '../platform/database/database.errors.js';
import { isDistributed } from '../platform/database/database.js';
import { queryRows } from '../platform/database/query-rows.js';
import { CREATE_LIST, KEEP_OWNER } from './list/list.sql.js';
import { OwnerGoneError } from './reading-list.errors.js';

/**
 * Creates the reading list of a user, unless the list already exists.
 * @throws OwnerGoneError if the account was deleted.
 */
export async function beginList(manager: EntityManager, userId: string): Promise<void> {
  if (isDistributed(manager)) {
    return manager.transaction((apart) => createApart(apart, userId));
  }
  try {
    await queryRows(manager, CREATE_LIST, [userId]);
  } catch (error) {
    throw violates(error, 'lists_user_id_fkey') ? new OwnerGoneError() : error;
  }
}

/**
 * Creates the reading list if lists and users are on different database servers. Then checks that
 * the owner exists, because no foreign key can do so.
 *
 * @throws OwnerGoneError if the account was deleted.
 */
async function createApart(manager: EntityManager, userId: string): Promise<void> {
  // Locks the list before the user, as the deletion of an account does.
  // Two transactions with different orders could deadlock.
  await queryRows(manager, CREATE_LIST, [userId]);
  const [owner] = await queryRows(manager, KEEP_OWNER, [userId]);
  if (owner === undefined) {
    throw new OwnerGoneError();
  }
}
