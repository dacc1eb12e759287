import type { RowOf } from '../../src/platform/database/entity-columns.js';
import type { PageColumns } from '../../src/reading-list/entities/page-columns.js';
import type { TestApp } from './test-app.js';

/** Columns that the resolver writes after fetching a page. */
export type ReadPage = Partial<RowOf<PageColumns>>;

/** Updates the facet counts, which the service itself would update on a change of items. */
const RECOUNT = `
  UPDATE lists SET facet_counts =
    array(SELECT (SELECT count(*)::int FROM items WHERE user_id = $1 AND facet = f) FROM generate_series(0, 63) f)
  WHERE user_id = $1`;

/** Writes the columns that the resolver would write after fetching the item's page. */
export async function readPage(
  { database }: TestApp,
  { userId, itemId, page }: { userId: string; itemId: string; page: ReadPage },
): Promise<void> {
  const columns = Object.keys(page).map((name) => `${name} = page.${name}`);
  await database.query(
    `WITH list AS (UPDATE lists SET stamp = stamp + 1 WHERE user_id = $1 RETURNING stamp AS version)
     UPDATE items SET stamp = version, ${columns.join(', ')}
     FROM list, (SELECT * FROM json_populate_record(NULL::items, $3)) AS page
     WHERE items.user_id = $1 AND items.item_id = $2`,
    [userId, itemId, JSON.stringify(page)],
  );
  await database.query(RECOUNT, [userId]);
}
