import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { type ListHead, listHeadOf } from '../entities/list-head.js';

const READ = `SELECT ${listHeadOf('list')} FROM (VALUES ($1::bigint)) AS owner (user_id) LEFT JOIN lists list USING (user_id)`;

/** Reads the head of a list by itself, for whoever has not got it with the caller. */
export async function readListHead(manager: EntityManager, userId: string): Promise<ListHead> {
  const [head] = await run<ListHead>(manager, { text: READ, values: [userId] });
  if (head === undefined) {
    throw new Error('a statement that always has a row had none');
  }
  return head;
}
