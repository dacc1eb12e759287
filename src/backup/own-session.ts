import pg from 'pg';
import type { EntityManager } from 'typeorm';

import { sessionOf } from '../database/statements.js';

/** The connection of the manager's transaction, for what TypeORM has no words for: COPY. */
export async function ownSession(manager: EntityManager): Promise<pg.Client> {
  const session = await sessionOf(manager);
  if (session instanceof pg.Pool) {
    throw new Error('A transaction belongs to one connection.');
  }
  return session;
}
