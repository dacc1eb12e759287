// Measures the size of an item on disk, by table and index, in the lists of bench/size-data.mjs. With --data, it also
// measures pages: transfer, stored article and row.
//   npm run bench -- storage [--server URL --data DIR --every 8 --json FILE]
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import pg from 'pg';

import { extractPage } from '../dist/src/lib/extraction/extract-page.js';
import { compressedText } from '../dist/src/lib/util/compressed-text.js';
import { htmlOf, readTruth } from './extract/truth.mjs';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { onCopy, sizesDatabase } from './size-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    data: { type: 'string', default: '' },
    every: { type: 'string', default: '8' },
    ...JSON_OPTION,
  },
});
const OF_ITEMS = ['items', 'item_search', 'item_tags', 'tags', 'tombstones'];

const sizeOf = async (client, table) => {
  const { rows } = await client.query(
    `SELECT pg_table_size($1::regclass)::float8 AS heap, pg_indexes_size($1::regclass)::float8 AS indexes,
       pg_total_relation_size($1::regclass)::float8 AS total`,
    [table],
  );
  return rows[0];
};

/** Returns bytes per item for each table, and bytes per list with its user. */
async function itemsOf(client) {
  const { rows } = await client.query('SELECT count(*)::int AS items FROM items');
  const [{ items }] = rows;
  const sized = [];
  for (const table of OF_ITEMS) {
    const { heap, indexes, total } = await sizeOf(client, table);
    sized.push({ table, heap: heap / items, indexes: indexes / items, total: total / items });
  }
  const lists = (await client.query('SELECT count(*)::int AS lists FROM lists')).rows[0].lists;
  const user = (await sizeOf(client, 'lists')).total + (await sizeOf(client, 'users')).total;
  return {
    rows: sized,
    item: sized.reduce((sum, { total }) => sum + total, 0),
    user: user / lists,
  };
}

const KEEP = `INSERT INTO pages (page_key, url, host, content, article, fetched_at, first_fetched_at)
  VALUES (sha256($1::text::bytea), $1, 'example.com', $2, $3, now(), now())`;

/** Returns means over the ground truth's pages, extracted and stored as by the resolver. */
async function pagesOf(client) {
  const pages = readTruth(given.data, { every: Number(given.every) });
  const sum = { transfer: 0, text: 0, article: 0 };
  for (const [at, page] of pages.entries()) {
    const html = htmlOf(page);
    const url = page.url ?? 'http://unknown.example/';
    const { articleHtml, text, ...content } = extractPage({ html, url, readAt: new Date() });
    const article = await compressedText(articleHtml ?? '');
    await client.query(KEEP, [`${url}#${at}`, JSON.stringify(content), article]);
    sum.transfer += gzipSync(html).length;
    sum.text += Buffer.byteLength(text);
    sum.article += article.length;
  }
  const means = Object.entries(sum).map(([name, bytes]) => [name, bytes / pages.length]);
  await client.query('VACUUM FULL pages');
  const { total } = await sizeOf(client, 'pages');
  return { pages: pages.length, ...Object.fromEntries(means), page: total / pages.length };
}

async function run(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await itemsOf(client);
    return given.data === '' ? found : { ...found, ...(await pagesOf(client)) };
  } finally {
    await client.end();
  }
}

const found = await onCopy(given.server, await sizesDatabase(given.server), run);
for (const { table, heap, indexes, total } of found.rows) {
  const cells = [heap, indexes, total].map((bytes) => bytes.toFixed(0).padStart(7));
  console.log(table.padEnd(12), ...cells, 'bytes an item: table, indexes, together');
}
for (const [name, bytes] of Object.entries(found).filter(([, value]) => !Array.isArray(value))) {
  console.log(name.padEnd(12), bytes.toFixed(0));
}
keepFigures(given.json, {
  ratios: { 'indexes of items beside their rows': found.rows[0].indexes / found.rows[0].heap },
  ...found,
});
