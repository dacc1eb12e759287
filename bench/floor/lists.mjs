// The database part of the two floors: one page of a list, an add, and one action. Statements are named, and a change is
// one transaction with one statement after the other. The statements of get are those of the service.
import { createHash } from 'node:crypto';

import pg from 'pg';

const statements = JSON.parse(process.env.STATEMENTS);

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: process.env.NAME,
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
});

const itemOf = (row, sort_id) => ({
  item_id: row.item_id,
  resolved_id: row.resolved_id,
  given_url: row.given_url,
  given_title: row.given_title,
  favorite: String(row.favorite),
  status: String(row.status),
  time_added: row.time_added,
  time_updated: row.time_updated,
  time_read: row.time_read,
  time_favorited: row.time_favorited,
  sort_id,
  resolved_title: row.resolved_title,
  resolved_url: row.resolved_url,
  excerpt: row.excerpt,
  is_article: String(row.is_article),
  is_index: String(row.is_index),
  has_video: String(row.has_video),
  has_image: String(row.has_image),
  word_count: String(row.word_count),
  lang: row.lang,
  tags: Object.fromEntries(row.tags.map((tag) => [tag, { item_id: row.item_id, tag }])),
});

export async function pageOf(path) {
  const { rows } = await pool.query({ name: path, ...statements[path] });
  const items = rows.filter((row) => row.item_id !== null).map(itemOf);
  const list = Object.fromEntries(items.map((item) => [item.item_id, item]));
  return { status: 1, complete: 1, list, since: Number(rows[0]?.since) };
}

const LOCK = `SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1) AS stamp, numbers
  FROM lists WHERE user_id = $1 FOR NO KEY UPDATE`;
const INSERT = `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, given_title, title_key, url_key, search_text, number)
  VALUES ($1, $2, $3, $3, $3, $4, $6, $6, $4, $4, $5)`;
const COUNT = `UPDATE lists SET stamp = $2, item_count = item_count + 1, numbers = numbers + 1, facet_counts[1] = facet_counts[1] + 1 WHERE user_id = $1`;
const SET_STATUS = `UPDATE items SET status = $4::smallint, time_read = $4 * $3::bigint, time_updated = $3, stamp = $3
  WHERE user_id = $1 AND item_id = $2 RETURNING facet, facet # 1 AS before`;
const SET_TAG = `UPDATE items SET tags = tags || $4::text, time_updated = $3, stamp = $3
  WHERE user_id = $1 AND item_id = $2
  RETURNING added_order, facet, CASE WHEN cardinality(tags) = 1 THEN facet & ~4 ELSE facet END AS before`;
const JOIN_TAG = `INSERT INTO item_tags (user_id, tag_id, added_order, item_id) VALUES ($1, $2, $3, $4)`;
const COUNT_TAG = `INSERT INTO tags AS tag (user_id, tag_id, name, item_count, number) VALUES ($1, $2, $3, 1, $4)
  ON CONFLICT (user_id, tag_id) DO UPDATE SET item_count = tag.item_count + 1`;
const MOVE = `UPDATE lists SET stamp = $2, numbers = numbers + $5,
    facet_counts[$3 + 1] = facet_counts[$3 + 1] - ($3 <> $4)::int, facet_counts[$4 + 1] = facet_counts[$4 + 1] + ($3 <> $4)::int
  WHERE user_id = $1`;

/** Runs the work with the locked list, in one transaction. `run` needs the name of a statement, its text and values. */
async function changed(user, work) {
  const client = await pool.connect();
  try {
    const run = async (name, text, values) => (await client.query({ name, text, values })).rows;
    await client.query('BEGIN');
    const [list] = await run('lock', LOCK, [user]);
    const answer = await work(run, list);
    await client.query('COMMIT');
    return answer;
  } finally {
    client.release();
  }
}

let added = Number(process.env.FIRST_ID);

/** Adds an item. `more` writes further rows for the item in the same transaction. */
export function add(user, { url, title }, more) {
  const id = String((added += 1));
  return changed(user, async (run, { stamp, numbers }) => {
    await run('insert', INSERT, [user, id, stamp, url, numbers + 1, title]);
    await more?.(run, id);
    await run('count', COUNT, [user, stamp]);
    return { item: { item_id: id, normal_url: url }, status: 1 };
  });
}

const move = (run, user, stamp, { before, facet }, numbers = 0) =>
  run('move', MOVE, [user, stamp, before, facet, numbers]);

/** The id is the same as in reading-list/list/tag-name.ts. */
const tagIdOf = (tag) => String(createHash('sha256').update(tag).digest().readBigUInt64BE() >> 1n);

const ACTIONS = {
  async tags_add(run, user, { stamp, numbers }, { item_id, tags }) {
    const [item] = await run('tag', SET_TAG, [user, item_id, stamp, tags]);
    await run('join tag', JOIN_TAG, [user, tagIdOf(tags), item.added_order, item_id]);
    await run('count tag', COUNT_TAG, [user, tagIdOf(tags), tags, numbers + 1]);
    await move(run, user, stamp, item, 1);
  },
  archive: (...change) => setStatus(1, ...change),
  readd: (...change) => setStatus(0, ...change),
};

async function setStatus(status, run, user, { stamp }, { item_id }) {
  const [item] = await run('status', SET_STATUS, [user, item_id, stamp, status]);
  await move(run, user, stamp, item);
}

/** Runs one action, which changes the item. */
export async function act(user, action) {
  await changed(user, (run, list) => ACTIONS[action.action](run, user, list, action));
  return { status: 1, action_results: [true] };
}
