import { compressedText } from '../../src/lib/util/compressed-text.js';
import type { TestDatabase } from './test-database.js';

const STORE_PAGE = `
  WITH page AS (
    INSERT INTO pages (page_key, url, host, content, article, fetched_at, first_fetched_at)
    VALUES (uuid_send(gen_random_uuid()), '', '',
      '{"facts":{},"item":{"media":{"authors":[],"images":[],"videos":[]}}}', $2, now(), now())
    RETURNING page_id),
  list AS (UPDATE lists SET stamp = stamp + 1 WHERE user_id = $1 RETURNING stamp AS version)
  UPDATE items SET resolved_id = page_id, stamp = version FROM page, list WHERE user_id = $1`;

/** Stores one article as the page of all items of the user, as if it had been fetched. */
export async function storeArticles(
  database: TestDatabase,
  userId: string,
  html = '<p>An article.</p>',
): Promise<void> {
  await database.query(STORE_PAGE, [userId, await compressedText(html)]);
}

/** Stores an article as the page of one item. */
export async function storeArticle(
  database: TestDatabase,
  userId: string,
  itemId: string,
  html = '<p>An article.</p>',
): Promise<void> {
  const article = await compressedText(html);
  await database.query(`${STORE_PAGE} AND item_id = $3`, [userId, article, itemId]);
}
