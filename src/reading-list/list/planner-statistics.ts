import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';

const ARE_STALE = `SELECT reltuples < $1 AS stale FROM pg_class WHERE oid = 'items'::regclass`;

/** Whoever analyses them meanwhile does the same. */
const REFRESH = `ANALYZE (SKIP_LOCKED) items, item_search, tags, page_requests`;

/**
 * Tells PostgreSQL that the tables have grown, when it believes them smaller than this one list. A prepared statement
 * keeps the plan that it got when they were small, which reads a whole list, until it is told; autovacuum may take a
 * minute for that, in which an import brings 200,000 items (docs/decisions/0015).
 */
export async function refreshStatistics(manager: EntityManager, itemCount: number): Promise<void> {
  const [tables] = await run<{ stale: boolean }>(manager, { text: ARE_STALE, values: [itemCount] });
  if (tables?.stale === true) {
    await run(manager, { text: REFRESH, values: [] });
  }
}
