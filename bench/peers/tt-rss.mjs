// Tiny Tiny RSS, from Debian, on the same PostgreSQL. The feed reader also stores links as "published" articles. It
// runs without login ("single user mode"). Clients can fetch articles after a known one, but no changes.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { administrate } from '../size-data.mjs';
import { phpRoot, servedByPhp } from './php.mjs';

const DATABASE = 'satchel_bench_ttrss';
const FILL = [
  `INSERT INTO ttrss_entries (title, guid, link, updated, content, content_hash, date_entered, date_updated)
   SELECT 'How row ' || n || ' came to be', 'SHA1:' || md5(n::text), 'https://site' || n || '.example/articles/' || n,
     to_timestamp(1400000000 + n * 97), repeat('Excerpt ' || n || ' ', 8), md5(n::text), now(), now()
   FROM generate_series(1, $1::int) n`,
  `INSERT INTO ttrss_user_entries (ref_id, uuid, owner_uid, published, tag_cache, label_cache, last_read, last_published, unread)
   SELECT id, '', 1, true, CASE WHEN id % 3 = 0 THEN 'later' ELSE '' END, '', now(), updated, false
   FROM ttrss_entries WHERE $1::int > 0`,
];
const ACCESS = `INSERT INTO ttrss_user_prefs (owner_uid, pref_name, value) VALUES (1, 'ENABLE_API_ACCESS', 'true')`;
/** The names that its config.php checks. */
const SETTINGS = {
  ...{ DB_TYPE: 'pgsql', DB_NAME: DATABASE, MYSQL_CHARSET: 'UTF8', SINGLE_USER_MODE: true },
  ...{ SIMPLE_UPDATE_MODE: false, PHP_EXECUTABLE: '/usr/bin/php', ICONS_DIR: 'feed-icons' },
  ...{ ICONS_URL: 'feed-icons', AUTH_AUTO_CREATE: true, AUTH_AUTO_LOGIN: true },
  ...{ FORCE_ARTICLE_PURGE: 0, ENABLE_REGISTRATION: false, REG_NOTIFY_ADDRESS: 'a@example.com' },
  ...{ REG_MAX_USERS: 1, SESSION_COOKIE_LIFETIME: 86_400, SMTP_FROM_NAME: 'Bench' },
  ...{ SMTP_FROM_ADDRESS: 'a@example.com', DIGEST_SUBJECT: 'Bench', CHECK_FOR_UPDATES: false },
  ...{ ENABLE_GZIP_OUTPUT: false, PLUGINS: 'auth_internal, note', LOG_DESTINATION: '' },
  CONFIG_VERSION: 26,
};

const known = { sid: '', last: 0 };
const call = (op, members) => [
  '/api/',
  { method: 'POST', body: JSON.stringify({ sid: known.sid, op, ...members }) },
];
const published = (members) =>
  call('getHeadlines', { feed_id: -2, show_excerpt: true, ...members });

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const ttRssOn = (server) => {
  const url = Object.assign(new URL(server), { pathname: `/${DATABASE}` });
  return {
    name: 'Tiny Tiny RSS 21',
    install(folder) {
      const root = phpRoot(folder);
      const home = join(root, 'usr/share/tt-rss/www');
      const places = { CACHE_DIR: join(root, 'ttrss-cache'), LOCK_DIRECTORY: join(root, 'ttrss') };
      for (const path of ['images', 'upload', 'export', 'js', 'simplepie', 'starred-images']) {
        mkdirSync(join(places.CACHE_DIR, path), { recursive: true });
      }
      mkdirSync(places.LOCK_DIRECTORY, { recursive: true });
      const access = { DB_HOST: url.hostname, DB_PORT: url.port || '5432', DB_USER: url.username };
      const all = { ...SETTINGS, ...places, ...access, DB_PASS: url.password };
      const lines = Object.entries(all).map(
        ([name, value]) =>
          `define('${name}', ${typeof value === 'string' ? `'${value}'` : value});`,
      );
      rmSync(join(home, 'config.php'), { force: true });
      rmSync(join(home, 'feed-icons'), { force: true, recursive: true });
      mkdirSync(join(home, 'feed-icons'));
      const address = `define('SELF_URL_PATH', 'http://' . $_SERVER['HTTP_HOST'] . '/');`;
      writeFileSync(join(home, 'config.php'), `<?php\n${lines.join('\n')}\n${address}\n`);
      return { root, home, schema: join(home, '../schema/ttrss_schema_pgsql.sql') };
    },
    async start({ root, home, schema }, { items, port }) {
      await administrate(
        server,
        `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`,
        `CREATE DATABASE ${DATABASE}`,
      );
      await withClient(url.href, async (client) => {
        await client.query(readFileSync(schema, 'utf8'));
        for (const text of FILL) await client.query(text, [items]);
        await client.query(ACCESS);
        await client.query('VACUUM ANALYZE');
      });
      return servedByPhp(root, home, port);
    },
    async fill(address, items) {
      const [path, init] = call('login', { user: 'admin', password: 'none' });
      const { content } = await (await fetch(`${address}${path}`, init)).json();
      Object.assign(known, { sid: content.session_id, last: items });
    },
    calls: {
      list: () => published({ limit: 30 }),
      add: (at) =>
        call('shareToPublished', {
          ...{ title: 'Saved', url: `https://example.com/peers/${at}`, content: 'Saved' },
        }),
      update: (at, items) =>
        call('updateArticle', { article_ids: String(1 + ((at * 7) % items)), mode: 2, field: 0 }),
      delta: () => published({ since_id: known.last, limit: 200 }),
    },
    heard(name, { status, content }) {
      if (status !== 0) throw new Error(`tt-rss, ${name}: ${JSON.stringify(content)}`);
      if (name === 'delta') known.last = Math.max(known.last, ...content.map(({ id }) => id));
    },
    end: () => administrate(server, `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`),
  };
};
