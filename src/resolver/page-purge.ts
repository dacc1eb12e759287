import type { Database } from '../database/database.js';
import { allowLongStatements, run } from '../database/statements.js';

/** Of a run, and of a statement. */
const LIMITS = { pages: 100_000, batch: 500 } as const;

/** Much longer than a page stays fresh: whoever saves such a page makes it be read again, which is seen below. */
const UNTOUCHED = `greatest(fetched_at, retry_at, leased_until)`;
const LONG_AGO = `now() - interval '90 days'`;

/** Nobody waits for it, nobody reads it, and it was last read or tried long ago; what has no such time was never read. */
const IDLE = `owner_id IS NULL AND coalesce(${UNTOUCHED}, '-infinity') < ${LONG_AGO}
      AND NOT EXISTS (SELECT FROM page_requests WHERE page_requests.page_key = pages.page_key)`;

/** The look at all items has no index: one would cost every save, and this is done once a day. */
const LONGEST_LOOK_SECONDS = 600;

const UNUSED = `
    SELECT page_id FROM pages
    WHERE ${IDLE} AND NOT EXISTS (SELECT FROM items WHERE items.resolved_id = pages.page_id)
    LIMIT ${LIMITS.pages}`;

/**
 * The conditions once more, and of the row as it is now: an item gets a page only through a request, and a page that is
 * not fresh only when it was tried again.
 */
const DELETE = `DELETE FROM pages WHERE page_id = ANY ($1::bigint[]) AND ${IDLE} RETURNING page_id`;

const FORGET_PAUSES = `DELETE FROM host_pauses WHERE until < now()`;

/** Deletes shared pages that no item has and nobody asked for in 90 days. Gives their number, 100,000 at most. */
export async function purgePages(database: Database): Promise<number> {
  const unused = await unusedPages(database);
  let purged = 0;
  for (let start = 0; start < unused.length; start += LIMITS.batch) {
    const batch = unused.slice(start, start + LIMITS.batch);
    purged += await deleteIdle(database, batch);
  }
  await database.write((manager) => run(manager, { text: FORGET_PAUSES, values: [] }));
  return purged;
}

/** Of a moment ago, as soon as it is there. */
export async function unusedPages(database: Database): Promise<string[]> {
  const rows = await database.write(async (manager) => {
    await allowLongStatements(manager, LONGEST_LOOK_SECONDS);
    return run<{ page_id: string }>(manager, { text: UNUSED, values: [] });
  });
  return rows.map(({ page_id: pageId }) => pageId);
}

/** Deletes those of the pages that nobody has asked for meanwhile. Gives their number. */
export async function deleteIdle(database: Database, pageIds: readonly string[]): Promise<number> {
  const rows = await database.write((manager) => run(manager, { text: DELETE, values: [pageIds] }));
  return rows.length;
}
