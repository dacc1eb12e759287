// Measures the processor time (service and database) and memory for books of 50, 250 and 500 articles. An article has
// 800 words and four pictures of 60 KB, which are already stored. Each book uses a new service, after a small book.
// Memory is the peak of the process during the book, minus the memory before.
//   npm run bench -- epub [--server URL --sizes 50,250,500 --json FILE]
import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import bcrypt from 'bcrypt';
import pg from 'pg';

import { ImageCache } from '../dist/src/articles/images/image-cache.js';
import { compressedText } from '../dist/src/lib/util/compressed-text.js';
import { runMigrations } from '../dist/src/platform/database/migrator.js';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { loggedIn } from './logged-in.mjs';
import { between, processorOf } from './processor.mjs';
import { startService } from './resolve/running-service.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    sizes: { type: 'string', default: '50,250,500' },
    ...JSON_OPTION,
  },
});
const NAME = 'satchel_bench_epub';
const PASSWORD = 'a long pass phrase';
const EMAIL = 'reader@example.com';
const MOST = 500;
const WARM = 10;
const PICTURES = 4;
const PICTURE_BYTES = 60_000;
const NOW = 1_700_000_000;

const database = Object.assign(new URL(given.server), { pathname: `/${NAME}` }).href;
const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const sourcesOf = (article) =>
  Array.from({ length: PICTURES }, (_, at) => `https://pictures.example/${article}-${at}.jpg`);

const textOf = (article) =>
  sourcesOf(article)
    .map(
      (src, at) =>
        `<h2>Part ${at}</h2><p>${`Sentence ${at} of article ${article} says what it has to say. `.repeat(20)}</p><p><img src="${src}" alt=""></p>`,
    )
    .join('');

/** Stores the pictures in the image cache, with incompressible bytes. */
async function fillPictures() {
  const settings = { dataDirectory: directory, imageCacheMegabytes: 1000 };
  const cache = new ImageCache(settings, { now: () => new Date() });
  const start = Buffer.from([0xff, 0xd8, 0xff]);
  for (let article = 1; article <= MOST; article += 1) {
    for (const src of sourcesOf(article)) {
      await cache.keep(src, Buffer.concat([start, randomBytes(PICTURE_BYTES)]));
    }
  }
}

async function fillList(client) {
  await client.query(`INSERT INTO users (name, email, password_hash) VALUES ('Reader', $1, $2)`, [
    EMAIL,
    await bcrypt.hash(PASSWORD, 4),
  ]);
  await client.query(
    'INSERT INTO lists (user_id, item_count, numbers, has_search_index) VALUES (1, $1, $1, true)',
    [MOST],
  );
  for (let article = 1; article <= MOST; article += 1) {
    const images = sourcesOf(article).map((src) => ({ src, caption: '', credit: '' }));
    const media = { images, authors: [], videos: [] };
    const content = { item: { media }, facts: { datePublished: null } };
    const url = `https://example.com/${article}`;
    const { rows } = await client.query(
      `INSERT INTO pages (page_key, url, host, content, article, fetched_at, first_fetched_at)
       VALUES (sha256($1::text::bytea), $1, 'example.com', $2, $3, now(), now()) RETURNING page_id`,
      [url, content, await compressedText(textOf(article))],
    );
    await client.query(
      `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, given_title, title_key, url_key,
         search_text, number, resolved_id, resolved_url, resolved_title, word_count)
       VALUES (1, $1, 1, $2, $2, $3, 'Article ' || $1::bigint, '', '', '', $1, $4, $3, 'Article ' || $1::bigint,
         800)`,
      [article, NOW + article, url, rows[0].page_id],
    );
  }
}

const megabytesOf = (pid, name) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)[1]) / 1024;
};

/** Downloads a book. Returns its size in bytes. */
async function read(url, cookie, path) {
  const answer = await fetch(`${url}${path}`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  return bytes;
}

/** Measures a book of the first articles. Archives the others meanwhile. */
async function measured(client, size) {
  await client.query('UPDATE items SET status = CASE WHEN item_id <= $1 THEN 0 ELSE 1 END', [size]);
  const service = await startService({ database, directory, concurrency: 0 });
  try {
    const cookie = await loggedIn(service.url, EMAIL, PASSWORD);
    await client.query('UPDATE items SET status = 1 WHERE item_id > $1', [WARM]);
    await read(service.url, cookie, '/list/export.epub');
    await client.query('UPDATE items SET status = 0 WHERE item_id <= $1', [size]);
    const processor = await processorOf(database, { pid: service.pid, sessions: 'satchel' });
    const idle = megabytesOf(service.pid, 'VmRSS');
    writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
    const before = await processor.read();
    const bytes = await read(service.url, cookie, '/list/export.epub');
    const ms = between(before, await processor.read()) / 1000;
    const most = megabytesOf(service.pid, 'VmHWM');
    await processor.end();
    return { ms: ms / size, bytes, idle, over: most - idle };
  } finally {
    await service.stop();
  }
}

await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`, `CREATE DATABASE ${NAME}`);
await runMigrations({ url: database });
const client = new pg.Client({ connectionString: database });
await client.connect();
try {
  await fillList(client);
  await fillPictures();
  const rows = [];
  for (const size of given.sizes.split(',').map(Number)) {
    const { ms, bytes, idle, over } = await measured(client, size);
    rows.push({ articles: size, ms, bytes, idle, over });
    console.log(
      `${String(size).padStart(4)} articles ${ms.toFixed(1).padStart(6)} ms each ${(bytes / 1e6).toFixed(1).padStart(7)} MB ` +
        `idle ${idle.toFixed(0)} MB, at most ${over.toFixed(0)} MB more`,
    );
  }
  const ratios = {
    'an article of the largest book beside one of the smallest': rows.at(-1).ms / rows[0].ms,
  };
  keepFigures(given.json, { ratios, rows });
} finally {
  await client.end();
  await administrate(`DROP DATABASE ${NAME} WITH (FORCE)`);
  rmSync(directory, { recursive: true });
}
