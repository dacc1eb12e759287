import type { EntityManager } from 'typeorm';

import { allowLongStatements } from '../../database/statements.js';

/** Others wait for the list meanwhile. */
const LONGEST_STATEMENT_SECONDS = 20;

/** What concerns every item of a large list takes longer than other statements may. */
export const allowLongStatement = (manager: EntityManager): Promise<void> =>
  allowLongStatements(manager, LONGEST_STATEMENT_SECONDS);
