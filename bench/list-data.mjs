// Fills a database once with a million saved items, distributed like real lists. It is reused until this file or the
// schema changes. The largest list ends with an imported block of unread, untagged items that sort first by title. So
// the sort orders correlate with the filters.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import pg from 'pg';

const MIGRATIONS = new URL('../src/platform/database/migrations/', import.meta.url);

/** Number of lists per size. The first user has the largest list. */
export const LISTS = [
  { users: 1, items: 200_000 },
  { users: 2, items: 50_000 },
  { users: 20, items: 5000 },
  { users: 6000, items: 100 },
];
/** For calls that only touch short lists. Filled in seconds, with the same numbers of users where they matter. */
export const SHORT_LISTS = [
  { users: 1, items: 5000 },
  { users: 222, items: 100 },
  { users: 4777, items: 5 },
];
/** Share of the largest list, or of a list with another requested length. */
const IMPORTED = 0.22;
/** 19 May 2023, about the time of the newest item in every list. */
export const NOW = 1_684_500_000;
const YEARS = 8 * 365 * 86_400;

/** A few words are in every other title, most words in a few titles. */
const WORD = `coalesce((array['the','a','of','perl','king','zurich','ÆON','reading','version','2020','pattern','why',
  'how','qz','postgres','night','garden','éclair','100%','under_score'])[1 + (60 * random() ^ 3)::int],
  'w' || substr(md5((9000 * random())::int::text), 1, 3 + (7 * random())::int))`;
const TITLE = `initcap(${WORD}) || ' ' || ${Array(4).fill(WORD).join(` || ' ' || `)}`;
/** The most common host has blogs on separate subdomains. */
const HOST = `CASE WHEN rank % 5 = 0 AND rank < 400 THEN 'blog' || (60 * random() ^ 2)::int || '.' ELSE '' END
  || substr(md5('host' || rank), 1, 4 + rank % 9) || rank || (array['.com','.com','.org','.net','.co.uk','.io'])[1 + rank % 6]`;

/** One row per future item: its owner, its age in the list from 0 (oldest) to 1 (newest), and random values. */
const DRAWN = `
  SELECT user_id, n, n::float / items AS age, user_id = 1 AND n > (1 - ${IMPORTED}) * items AS imported,
    floor(30000 * random() ^ 4)::int AS rank, random() AS r1, random() AS r2, random() AS r3, random() AS r4,
    random() AS r5, random() AS r6, random() AS r7, random() AS r8
  FROM lists_to_be CROSS JOIN LATERAL generate_series(1, items) n`;

const ITEMS = `
  INSERT INTO items (user_id, item_id, stamp, status, favorite, time_added, time_updated, time_read, time_favorited,
    given_url, given_title, resolved_id, resolved_url, resolved_title, excerpt, lang, is_article, has_image, has_video,
    word_count, is_pdf, fetch_failed, gone_since, note, tags, title_key, url_key, search_text, number)
  SELECT user_id, item_id, updated + 1, status, favorite, added, updated, status * updated, favorite * (added + 500),
    'https://' || host || path, title, item_id, 'https://' || host || path, title, repeat(md5(path), 5), lang,
    is_article, has_image, has_video, word_count, is_pdf, fetch_failed, gone_since, note, tags, lower(title), host || path, lower(title || E'\\n' || host || path), n
  FROM (
    SELECT *, ((1::bigint << 52) | (hashtextextended(host || path, 0) & ((1::bigint << 52) - 1))) AS item_id,
      CASE WHEN r8 < 0.3 THEN greatest(added, ${NOW} - (90 * 86400 * r7)::int) ELSE added + (r7 * 86400)::int END AS updated
    FROM (
      SELECT user_id, n, imported, r7, r8, ${HOST} AS host, '/' || 2015 + (8 * age)::int || '/' || user_id || '-' || n AS path,
        CASE WHEN imported THEN '00 import ' || n ELSE ${TITLE} END AS title,
        CASE WHEN imported THEN ${NOW} - 2000000 + n / 10 ELSE ${NOW} - ((1 - age) * ${YEARS})::bigint END AS added,
        (NOT imported AND r1 < 0.9 - 0.6 * age)::int AS status, (NOT imported AND r2 < 0.07)::int AS favorite,
        CASE WHEN r2 < 0.7 THEN 'en' WHEN r2 < 0.97 THEN 'de' WHEN r2 < 0.999 THEN 'de-AT' ELSE 'sv' END AS lang,
        (6000 * r8 ^ 3)::int AS word_count, CASE WHEN n % 150 = 7 THEN 'a note' ELSE '' END AS note, (r3 > 0.8 AND r3 < 0.81)::int AS is_pdf, (r4 > 0.9995)::int AS fetch_failed, (n % 200 = 3)::int AS gone_since,
        (r3 < 0.8)::int AS is_article, CASE WHEN r4 < 0.03 THEN 2 WHEN r4 < 0.7 THEN 1 ELSE 0 END AS has_image,
        CASE WHEN r3 > 0.95 THEN 2 WHEN r5 < 0.05 THEN 1 ELSE 0 END AS has_video,
        CASE WHEN imported THEN '{}'::text[] ELSE array_remove(ARRAY[
          CASE WHEN r6 < 0.35 THEN 'later' END,
          CASE WHEN r6 > 0.2 AND r6 < 0.5 THEN 'tag ' || (400 * r1 ^ 3)::int END,
          CASE WHEN r6 > 0.4 AND r6 < 0.6 THEN 'year ' || (age * 8)::int END], NULL) END AS tags
      FROM (${DRAWN}) drawn
    ) drafted
  ) dated`;

/** Tables that the service maintains together with items. Ids of tags are computed as in tag-name.ts. */
const DERIVED = [
  `CREATE TEMPORARY TABLE tag_ids AS
   SELECT name, (('x' || encode(substr(sha256(convert_to(name, 'UTF8')), 1, 8), 'hex'))::bit(64) >> 1)::bigint AS tag_id
   FROM (SELECT DISTINCT unnest(tags) AS name FROM items) names`,
  `INSERT INTO item_tags (user_id, tag_id, added_order, item_id)
   SELECT user_id, tag_id, added_order, item_id
   FROM items CROSS JOIN LATERAL unnest(tags) name JOIN tag_ids USING (name)`,
  `INSERT INTO tags (user_id, tag_id, name, item_count, number)
   SELECT user_id, tag_id, name, count(*), 1000000 + row_number() OVER (PARTITION BY user_id) FROM item_tags JOIN tag_ids USING (tag_id) GROUP BY user_id, tag_id, name`,
  `INSERT INTO tombstones (user_id, item_id, stamp)
   SELECT user_id, (1::bigint << 52) + n, ${NOW} - n * 600
   FROM lists_to_be CROSS JOIN LATERAL generate_series(1, items / 50) n`,
  `CREATE TEMPORARY TABLE sized AS SELECT user_id, facet, count(*) AS size FROM items GROUP BY user_id, facet`,
  `CREATE INDEX ON sized (user_id, facet)`,
  `INSERT INTO lists (user_id, stamp, item_count, numbers, facet_counts, has_search_index, stored_bytes)
   SELECT user_id, ${NOW} + 90000, sum(size), 2000000,
     array(SELECT coalesce((SELECT size FROM sized WHERE sized.user_id = one.user_id AND facet = f), 0)::int
           FROM generate_series(0, 63) f),
     sum(size) >= 5000, 1300 * sum(size)
   FROM sized one GROUP BY user_id`,
  `INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
   SELECT user_id, item_id, added_order, title_key, url_key, search_text FROM items JOIN lists USING (user_id)
   WHERE has_search_index ORDER BY added_order`,
  `INSERT INTO reading_positions (user_id, item_id, fraction, updated_at)
   SELECT user_id, item_id, (number % 10) / 9.0, now() FROM items WHERE number % 50 < 10`,
  `INSERT INTO annotations (user_id, annotation_id, number, item_id, quote, patch, version, created_at, updated_at)
   SELECT user_id, item_id || '-' || n, number * 4 + n, item_id, 'a quote', '', '2', time_added, time_added
   FROM items CROSS JOIN LATERAL generate_series(0, number % 3) n WHERE number % 60 = 11`,
];

const SECONDARY = `
  SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE relname IN ('items', 'item_tags', 'item_search', 'tombstones', 'annotations') AND NOT indisunique`;

/**
 * Other tables remain unanalyzed. A table that the planner knows as empty would be scanned sequentially after it is
 * filled, until autovacuum runs, and a benchmark does not wait for autovacuum.
 */
const FILLED =
  'users, lists, items, tags, item_tags, item_search, tombstones, reading_positions, annotations';

async function fill(client, lists) {
  await client.query(
    `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SELECT setseed(0.5)`,
  );
  const { rows: indexes } = await client.query(SECONDARY);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(`CREATE TEMPORARY TABLE lists_to_be (user_id int, items int)`);
  for (const { users, items } of lists) {
    await client.query(
      `INSERT INTO lists_to_be SELECT coalesce((SELECT max(user_id) FROM lists_to_be), 0) + n, $2::int FROM generate_series(1, $1::int) n`,
      [users, items],
    );
  }
  await client.query(`INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE
    SELECT user_id, 'Reader', user_id || '@example.com', '' FROM lists_to_be`);
  await client.query(ITEMS);
  for (const statement of DERIVED) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(`SET session_replication_role = DEFAULT`);
  await client.query(`VACUUM ANALYZE ${FILLED}`);
}

const fingerprint = (lists) =>
  [new URL(import.meta.url), ...readdirSync(MIGRATIONS).map((file) => new URL(file, MIGRATIONS))]
    .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
    .update(JSON.stringify(lists))
    .digest('hex');

async function connected(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL of the filled database on this server. Builds it if it is missing or outdated. */
export async function listDatabase(server, name = 'satchel_bench', lists = LISTS) {
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const wanted = fingerprint(lists);
  const found = await connected(server, (admin) =>
    admin.query(
      `SELECT shobj_description(oid, 'pg_database') AS made_by FROM pg_database WHERE datname = $1`,
      [name],
    ),
  );
  if (found.rows[0]?.made_by === wanted) return url;
  execFileSync(process.execPath, ['scripts/build-if-stale.mjs'], { stdio: 'inherit' });
  await import('reflect-metadata');
  const { runMigrations } = await import('../dist/src/platform/database/migrator.js');
  await connected(server, async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
  });
  await runMigrations({ url });
  await connected(url, (client) => fill(client, lists));
  await connected(server, (admin) => admin.query(`COMMENT ON DATABASE ${name} IS '${wanted}'`));
  return url;
}
