// The minimum work of a server: node:http and pg, a named statement, objects, JSON.stringify. It only reads the path of
// a request, and checks neither credentials nor parameters. Its statements of get are those of the service.
//   DATABASE_URL=… STATEMENTS='{"/path": {"text", "values"}}' node bench/floor.mjs
import { createServer } from 'node:http';

import pg from 'pg';

const statements = JSON.parse(process.env.STATEMENTS);
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'floor',
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
});

const named = (path, { text, values }) => ({ name: path, text, values });

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

async function get(path) {
  const { rows } = await pool.query(named(path, statements[path]));
  const items = rows.filter((row) => row.item_id !== null).map(itemOf);
  const list = Object.fromEntries(items.map((item) => [item.item_id, item]));
  return { status: 1, complete: 1, list, since: Number(rows[0]?.since) };
}

const LOCK = `SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1) AS stamp, numbers
  FROM lists WHERE user_id = $1 FOR NO KEY UPDATE`;
const INSERT = `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text, number)
  VALUES ($1, $2, $3, $3, $3, $4, $4, $4, $4, $5)`;
const COUNT = `UPDATE lists SET stamp = $2, item_count = item_count + 1, numbers = numbers + 1, facet_counts[1] = facet_counts[1] + 1 WHERE user_id = $1`;

let added = 2 ** 51;

async function add(user) {
  const client = await pool.connect();
  const run = (name, text, values) => client.query({ name, text, values });
  const id = String((added += 1));
  const url = `https://example.com/${id}`;
  await client.query('BEGIN');
  const { rows } = await run('lock', LOCK, [user]);
  await run('insert', INSERT, [user, id, rows[0].stamp, url, rows[0].numbers + 1]);
  await run('count', COUNT, [user, rows[0].stamp]);
  await client.query('COMMIT');
  client.release();
  return { item: { item_id: id, normal_url: url }, status: 1 };
}

const server = createServer((request, response) => {
  request.resume().on('end', async () => {
    const { pathname, searchParams } = new URL(request.url, 'http://floor');
    const body = await (pathname === '/add' ? add(searchParams.get('user')) : get(pathname));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
