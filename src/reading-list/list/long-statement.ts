import type { EntityManager } from 'typeorm';

import { allowLongStatements } from '../../database/statements.js';

/**
 * A part of the 60 seconds by which the `since` that readers get stays behind the clock: no writer may take longer
 * (docs/decisions/0015).
 */
const LONGEST_STATEMENT_SECONDS = 20;

/** What concerns every item of a large list takes longer than other statements may. */
export const allowLongStatement = (manager: EntityManager): Promise<void> =>
  allowLongStatements(manager, LONGEST_STATEMENT_SECONDS);
