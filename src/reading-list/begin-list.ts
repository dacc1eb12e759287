import type { EntityManager } from 'typeorm';

import { violates } from '../platform/database/database.errors.js';
import { isDistributed } from '../platform/database/database.js';
import { queryRows } from '../platform/database/query-rows.js';
import { CREATE_LIST, KEEP_OWNER } from './list/list.sql.js';
import { OwnerGoneError } from './reading-list.errors.js';

/** Makes the list of a user, unless it is there. Throws OwnerGoneError. */
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

/** Where lists lie on other servers than users, no foreign key leads from one to the other. Throws OwnerGoneError. */
async function createApart(manager: EntityManager, userId: string): Promise<void> {
  // The list first, as a deletion has it: neither waits for the other in a circle.
  await queryRows(manager, CREATE_LIST, [userId]);
  const [owner] = await queryRows(manager, KEEP_OWNER, [userId]);
  if (owner === undefined) {
    throw new OwnerGoneError();
  }
}
