// The minimum work of a server for wallabag lists: node:http and pg, the service's statement for a page of entries, one
// for their articles, objects with as many members, JSON.stringify. It checks neither token nor parameters.
//   DATABASE_URL=… node bench/wallabag-floor.mjs
import 'reflect-metadata';

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

import pg from 'pg';

import { entryPage } from '../dist/src/apis/wallabag/entries/entry-list.sql.js';

const USER = '1';
const decompress = promisify(brotliDecompress);
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'floor',
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
});

const ARTICLES = `SELECT page_id, article FROM pages WHERE page_id = ANY ($1)`;
const TAGS = `SELECT name, number FROM tags WHERE user_id = $1`;

const named = ({ text, values }) => ({
  name: createHash('md5').update(text).digest('hex'),
  text,
  values,
});

const dateOf = (seconds) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}+0000`;

const sha1 = (text) => createHash('sha1').update(text).digest('hex');

const entryOf = (row, { content, tags }) => ({
  ...{ is_archived: row.status, is_starred: row.favorite, user_name: 'Reader' },
  ...{ user_email: 'reader@example.com', user_id: 1 },
  tags: row.tags.map((label) => ({ id: tags.get(label), label, slug: `t:${label}` })),
  ...{ is_public: false, id: row.number, uid: null, title: row.resolved_title },
  ...{ url: row.resolved_url, hashed_url: sha1(row.resolved_url), origin_url: null },
  ...{ given_url: row.given_url, hashed_given_url: sha1(row.given_url), archived_at: null },
  content,
  ...{ created_at: dateOf(row.time_added), updated_at: dateOf(row.version) },
  ...{ published_at: null, published_by: null, starred_at: null, annotations: [] },
  ...{ mimetype: 'text/html', language: row.lang, reading_time: row.word_count / 200 },
  ...{ domain_name: new URL(row.given_url).host, preview_picture: null, http_status: '200' },
  ...{ headers: { 'content-type': 'text/html' } },
  _links: { self: { href: `/api/entries/${row.number}` } },
});

async function articlesOf(rows) {
  const ids = rows.map(({ resolved_id: id }) => id);
  const found = await pool.query({ name: 'articles', text: ARTICLES, values: [ids] });
  const texts = found.rows.map(async ({ page_id: id, article }) => [
    id,
    (await decompress(article)).toString(),
  ]);
  return new Map(await Promise.all(texts));
}

async function listOf(query) {
  const perPage = Number(query.get('perPage') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const since = Number(query.get('since') ?? 0);
  const statement = entryPage({
    ...{ userId: USER, filter: since === 0 ? {} : { since } },
    ...{ sort: query.get('sort') ?? 'created', order: query.get('order') ?? 'desc' },
    ...{ limit: perPage, offset: (page - 1) * perPage },
  });
  const { rows } = await pool.query(named(statement));
  const { rows: tagRows } = await pool.query({ name: 'tags', text: TAGS, values: [USER] });
  const tags = new Map(tagRows.map(({ name, number }) => [name, number]));
  const found = rows.filter((row) => row.item_id !== null);
  const articles = query.get('detail') === 'metadata' ? new Map() : await articlesOf(found);
  const items = found.map((row) =>
    entryOf(row, { content: articles.get(row.resolved_id) ?? null, tags }),
  );
  const total = rows[0]?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / perPage));
  return page > pages ? undefined : { page, limit: perPage, pages, total, _embedded: { items } };
}

const server = createServer((request, response) => {
  request.resume().on('end', async () => {
    const list = await listOf(new URL(request.url, 'http://floor').searchParams);
    response.statusCode = list === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(list ?? { error: 'not_found' }));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
