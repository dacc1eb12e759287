// The background work of the fair floor: it stores the words of added items for full-text search. It has a queue of its
// own, so that the service, which works on the same lists, does not empty it.
import { pool } from './lists.mjs';

export const QUEUE = process.env.QUEUE;
await pool.query(`CREATE TABLE ${QUEUE} (LIKE due_texts INCLUDING ALL)`);

const EVERY_MS = 50;
/** As many items as the service indexes in one transaction. */
const ITEMS_AT_ONCE = 10;
const WRITE = `
  WITH due AS (DELETE FROM ${QUEUE} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${QUEUE} ORDER BY marked_at LIMIT ${ITEMS_AT_ONCE} FOR UPDATE SKIP LOCKED)) RETURNING user_id, item_id)
  INSERT INTO item_texts (user_id, item_id, added_order, language, words)
  SELECT user_id, item_id, added_order, 'simple', array_to_tsvector(ARRAY['#' || user_id])
    || setweight(to_tsvector('simple', given_title), 'A') || setweight(to_tsvector('simple', translate(given_url, '/.', '  ')), 'B')
    || setweight(to_tsvector('simple', excerpt), 'C')
  FROM due JOIN LATERAL (
    SELECT added_order, given_title, given_url, excerpt FROM items WHERE user_id = due.user_id AND item_id = due.item_id OFFSET 0) item ON true
  ON CONFLICT (user_id, item_id) DO UPDATE SET words = excluded.words`;

/** Empties the queue for ever, without a pause while there is work. */
export async function storeWords() {
  const { rowCount } = await pool.query({ name: 'words', text: WRITE });
  setTimeout(storeWords, rowCount === 0 ? EVERY_MS : 0);
}
