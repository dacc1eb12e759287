import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';

/**
 * A part of the 60 seconds by which the `since` that readers get stays behind the clock: no writer may take longer
 * (docs/decisions/0015).
 */
const ALLOW = `SELECT set_config('statement_timeout', '20s', true)`;

/** What concerns every item of a large list takes longer than other statements may. */
export async function allowLongStatement(manager: EntityManager): Promise<void> {
  await run(manager, { text: ALLOW, values: [] });
}
