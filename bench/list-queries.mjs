// Queries the first page of the largest list with every filter, pair of filters and some larger sets, in every order.
// Prints processor time, and elapsed time, which depends on other load. Checks answers by a query without an index.
//   node bench/list-queries.mjs [--server URL] [--user 1] [--offset 0] [--only TEXT] [--no-check] [--slow 20]
//     [--items 20000] [--reader] [--json FILE]
import 'reflect-metadata';

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { DataSource } from 'typeorm';

import { ENTITIES } from '../dist/src/app/schema.js';
import { dataSourceOptions } from '../dist/src/platform/database/data-source.options.js';
import { ItemQuery } from '../dist/src/reading-list/query/item.query.js';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase, NOW } from './list-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    database: { type: 'string', default: 'satchel_bench' },
    user: { type: 'string', default: '1' },
    offset: { type: 'string', default: '0' },
    count: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    pairs: { type: 'string', default: '1000' },
    sets: { type: 'string', default: '60' },
    slow: { type: 'string', default: '20' },
    check: { type: 'boolean', default: true },
    verbose: { type: 'boolean', default: false },
    total: { type: 'boolean', default: false },
    reader: { type: 'boolean', default: false },
    items: { type: 'string', default: '' },
    ...JSON_OPTION,
  },
  allowNegative: true,
});
const REPEATS = 3;
const ORDERS = ['newest', 'oldest', 'title', 'site'];
/** Only filters by the number of words have these orders. */
const TIME_ORDERS = ['shortest', 'longest'];
const DAY = 86_400;

/** Computes host names as list-data.mjs does. */
const hostOf = (rank) =>
  createHash('md5')
    .update(`host${rank}`)
    .digest('hex')
    .slice(0, 4 + (rank % 9)) +
  rank +
  ['.com', '.com', '.org', '.net', '.co.uk', '.io'][rank % 6];

/** The names are printed. The first word of a name is the member of the filter. */
const FILTERS = {
  'state unread': { state: 'unread' },
  'state archive': { state: 'archive' },
  'favorite 1': { favorite: true },
  'favorite 0': { favorite: false },
  'tag later (27 %)': { tag: { key: 'later' } },
  'tag year 2 (2 %)': { tag: { key: 'year 2' } },
  'tag 100 (0.1 %)': { tag: { key: 'tag 100' } },
  'tag none such': { tag: { key: 'none such' } },
  'tag _untagged_': { tag: 'untagged' },
  'contentType article': { contentType: 'article' },
  'contentType video': { contentType: 'video' },
  'contentType image': { contentType: 'image' },
  'search the': { search: 'the' },
  'search perl': { search: 'perl' },
  'search postgres': { search: 'postgres' },
  'search qz': { search: 'qz' },
  'search night garden': { search: 'night garden' },
  'search w815': { search: 'w815' },
  'search zqxj (0)': { search: 'zqxj' },
  'search 100%': { search: '100%' },
  'search é': { search: 'é' },
  'domain common': { domain: hostOf(0) },
  'domain one of 60': { domain: `blog7.${hostOf(0)}` },
  'domain second': { domain: hostOf(1) },
  'domain rare': { domain: hostOf(20_000) },
  'since 3 days': { since: NOW - 3 * DAY },
  'since 90 days': { since: NOW - 90 * DAY },
  'since 3 years': { since: NOW - 1095 * DAY },
  'updatedBefore 5 years': { updatedBefore: NOW - 5 * 365 * DAY },
  'updatedBefore 7.9 years': { updatedBefore: NOW - 2884 * DAY },
  'words any': { words: { from: 0, below: 2 ** 31 - 1 } },
  'words short': { words: { from: 0, below: 990 } },
  'words 5,990 (0.03 %)': { words: { from: 5990, below: 2 ** 31 - 1 } },
  'language en (70 %)': { language: 'en' },
  'language sv (0.1 %)': { language: 'sv' },
  'language none such': { language: 'xx' },
  'isPdf 1 (1 %)': { isPdf: true },
  'isFetchFailed 1 (0.05 %)': { isFetchFailed: true },
  'progress unstarted': { progress: 'unstarted' },
  'progress started': { progress: 'started' },
  'progress finished': { progress: 'finished' },
  'tags later + year 7 (0.1 %)': { tags: ['later', 'year 7'] },
  'tags later + tag 3 (0.3 %)': { tags: ['later', 'tag 3'] },
  'anyTag later, year 2 (28 %)': { anyTag: ['later', 'year 2'] },
  'anyTag tag 100, tag 200 (0.2 %)': { anyTag: ['tag 100', 'tag 200', 'none such'] },
  'noTag later, year 2': { noTag: ['later', 'year 2'] },
  'added 7 days': { added: { from: NOW - 7 * DAY } },
  'added 90 days': { added: { from: NOW - 90 * DAY } },
  'added before 1 year': { added: { below: NOW - 365 * DAY } },
  'read 7 days': { read: { from: NOW - 7 * DAY } },
  'read 1 year': { read: { from: NOW - 365 * DAY } },
  'read before 1 year': { read: { below: NOW - 365 * DAY } },
  'annotated 1 (1.7 %)': { annotated: true },
  'annotated 0': { annotated: false },
  'hasNote 1 (0.7 %)': { hasNote: true },
  'isGone 1 (0.5 %)': { isGone: true },
};
/** Filters of the reader that `/v3/get` does not have. */
const OF_READER = ['tags', 'anyTag', 'noTag', 'added', 'read', 'annotated', 'hasNote', 'isGone'];

const utf8 = (text) => Buffer.from(text);
const byNumber = (member) => (one, other) => one[member] - other[member] || one.id - other.id;
const byBytes = (member) => (one, other) =>
  Buffer.compare(one[member], other[member]) || one.id - other.id;
const COMPARE = {
  newest: (one, other) => byNumber('added')(other, one),
  oldest: byNumber('added'),
  title: byBytes('title'),
  site: byBytes('url'),
  shortest: byNumber('words'),
  longest: (one, other) => byNumber('words')(other, one),
};
const isWithin = (time, { from = -Infinity, below = Infinity }) => time >= from && time < below;
const PASSES = {
  state: (item, state) => item.status === (state === 'archive' ? 1 : 0),
  favorite: (item, favorite) => item.favorite === (favorite ? 1 : 0),
  tag: (item, tag) => (tag === 'untagged' ? item.tags.length === 0 : item.tags.includes(tag.key)),
  contentType: (item, type) =>
    ({ article: item.is_article === 1, video: item.has_video > 0, image: item.has_image === 2 })[
      type
    ],
  search: (item, search) => item.search_text.includes(search),
  domain: (item, domain) => `.${item.host}`.endsWith(`.${domain}`),
  since: (item, since) => item.stamp > since,
  updatedBefore: (item, time) => item.updated < time,
  words: (item, { from, below }) =>
    item.is_article === 1 && item.words >= from && item.words < below,
  language: (item, language) => item.lang.split('-')[0] === language,
  isPdf: (item) => item.is_pdf === 1,
  isFetchFailed: (item) => item.fetch_failed === 1,
  tags: (item, tags) => tags.every((tag) => item.tags.includes(tag)),
  anyTag: (item, tags) => tags.some((tag) => item.tags.includes(tag)),
  noTag: (item, tags) => !tags.some((tag) => item.tags.includes(tag)),
  added: (item, span) => isWithin(item.added, span),
  read: (item, span) => item.status === 1 && isWithin(item.read, span),
  annotated: (item, annotated) => item.annotated === annotated,
  hasNote: (item) => item.note !== '',
  isGone: (item) => item.gone_since > 0,
  progress: ({ fraction }, progress) =>
    (fraction < 0.005 ? 'unstarted' : fraction < 0.945 ? 'started' : 'finished') === progress,
};

/** Loads the list into memory, in each order, with one byte per item for each filter. */
async function loadModel(dataSource) {
  await dataSource.query('SET statement_timeout = 0');
  const rows = await dataSource.query(
    `SELECT item_id::float8 AS id, status, favorite, is_article, has_video, has_image, tags, search_text, title_key, url_key,
       stamp::float8 AS stamp, time_updated::float8 AS updated, time_added::float8 AS added,
       word_count AS words, lang, is_pdf, fetch_failed, coalesce(fraction, 0)::float8 AS fraction, time_read::float8 AS read, note, gone_since::float8 AS gone_since,
       EXISTS (SELECT FROM annotations a WHERE a.user_id = items.user_id AND a.item_id = items.item_id) AS annotated
     FROM items LEFT JOIN reading_positions USING (user_id, item_id) WHERE user_id = $1`,
    [given.user],
  );
  const items = rows.map((row) => ({
    ...row,
    host: row.url_key.split('/')[0],
    title: utf8(row.title_key),
    url: utf8(row.url_key),
  }));
  const orders = Object.fromEntries(
    [...ORDERS, ...TIME_ORDERS].map((order) => [
      order,
      Uint32Array.from(items.keys()).sort((a, b) => COMPARE[order](items[a], items[b])),
    ]),
  );
  const masks = Object.fromEntries(
    Object.entries(FILTERS).map(([name, filter]) => {
      const [member, value] = Object.entries(filter)[0];
      return [name, Uint8Array.from(items, (item) => (PASSES[member](item, value) ? 1 : 0))];
    }),
  );
  return { items, orders, masks };
}

function expected({ items, orders, masks }, names, order) {
  const wanted = names.map((name) => masks[name]);
  const ids = [];
  let total = 0;
  for (const at of orders[order]) {
    if (wanted.every((mask) => mask[at] === 1)) {
      total += 1;
      if (total > Number(given.offset) && ids.length < Number(given.count))
        ids.push(String(items[at].id));
    }
  }
  return { ids, total };
}

/** Every filter, every pair of different members, and a deterministic sample of larger sets. */
function combinations() {
  const names = Object.keys(FILTERS);
  const member = (name) => name.split(' ')[0];
  const fits = (set) => new Set(set.map(member)).size === set.length;
  const everyPair = names
    .flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
    .filter(fits)
    .filter((pair) => !given.reader || pair.some((name) => OF_READER.includes(member(name))));
  const stride = Math.ceil(everyPair.length / Math.max(1, Number(given.pairs)));
  const pairs = everyPair.filter((_, at) => at % stride === 0 && Number(given.pairs) > 0);
  let seed = 7;
  const draw = (below) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const larger = [];
  while (larger.length < Number(given.sets)) {
    const set = Array.from({ length: 3 + (larger.length % 4) }, () => names[draw(names.length)]);
    if (fits(set)) larger.push(set);
  }
  return [[], ...names.map((name) => [name]), ...pairs, ...larger].filter(fits);
}

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];

/** Returns a clock of the session's processor time, in ms. Other load does not affect it. */
async function processorClock(dataSource) {
  const [{ pid }] = await dataSource.query('SELECT pg_backend_pid() AS pid');
  const file = `/proc/${pid}/schedstat`;
  return () => Number(readFileSync(file, 'ascii').split(' ')[0]) / 1e6;
}

async function measure(dataSource) {
  const processor = await processorClock(dataSource);
  const model = given.check && (await loadModel(dataSource));
  const results = [];
  let differences = 0;
  for (const names of combinations()) {
    const filter = Object.assign({}, ...names.map((name) => FILTERS[name]));
    for (const order of filter.words ? [...ORDERS, ...TIME_ORDERS] : ORDERS) {
      const label = `${names.join(' + ') || '(none)'} | ${order}`;
      if (!label.includes(given.only)) continue;
      const wanted = {
        filter,
        order,
        page: { offset: Number(given.offset), count: Number(given.count) },
        withTotal: given.total,
      };
      let ms = Infinity;
      let wall = Infinity;
      let found;
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        const begin = performance.now();
        const used = processor();
        found = await new ItemQuery(dataSource.manager, given.user).find(wanted);
        ms = Math.min(ms, processor() - used);
        wall = Math.min(wall, performance.now() - begin);
      }
      if (given.verbose) console.log(ms.toFixed(2), label);
      results.push({ label, size: names.length, ms, wall });
      if (model) {
        const { ids, total } = expected(model, names, order);
        const got = found.rows.map((row) => row.item_id);
        if (ids.join() !== got.join() || (given.total && !filter.since && found.total !== total)) {
          differences += 1;
          console.log(
            `DIFFERENT: ${label}: ${got.length} of ${ids.length} ids, total ${found.total} of ${total}`,
          );
        }
      }
    }
  }
  return { results, differences };
}

/** Measures a fixed query as a scale, because machines differ in speed. */
async function yardstick(dataSource) {
  const processor = await processorClock(dataSource);
  let ms = Infinity;
  for (let repeat = 0; repeat < 5; repeat += 1) {
    const used = processor();
    await dataSource.query('SELECT count(*) FROM items WHERE user_id = $1 AND added_order > 0', [
      given.user,
    ]);
    ms = Math.min(ms, processor() - used);
  }
  console.log(`yardstick: to count the list in an index takes ${ms.toFixed(1)} ms`);
  return ms;
}

function report({ results, differences }) {
  const line = (name, chosen, member = 'ms') => {
    const sorted = chosen.map((result) => result[member]).sort((a, b) => a - b);
    const under = (100 * sorted.filter((ms) => ms < 10).length) / sorted.length;
    console.log(
      name.padEnd(12),
      String(sorted.length).padStart(5),
      ...[0.5, 0.95, 0.99, 1].map((share) => percentile(sorted, share).toFixed(2).padStart(8)),
      `${under.toFixed(1)} %`.padStart(9),
    );
  };
  console.log('\nms'.padEnd(13), 'count      p50      p95      p99      max   < 10 ms');
  line('all', results);
  line('elapsed', results, 'wall');
  for (const size of [1, 2, 3, 4, 5, 6]) {
    const chosen = results.filter((result) => result.size === size);
    if (chosen.length > 0) line(`${size} filters`, chosen);
  }
  console.log(`\nslowest`);
  for (const { label, ms } of results
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, Number(given.slow))) {
    console.log(ms.toFixed(2).padStart(8), label);
  }
  if (given.check)
    console.log(`\n${differences} of ${results.length} answers differ from the model`);
}

/** A list of another length has its own database, with some short lists of other users. */
const ofLength =
  given.items === ''
    ? undefined
    : [
        { users: 1, items: Number(given.items) },
        { users: 200, items: 100 },
      ];
const url = await listDatabase(
  given.server,
  ofLength ? `${given.database}_${Number(given.items)}` : given.database,
  ofLength,
);
const dataSource = await new DataSource({
  ...dataSourceOptions({ url }, 1),
  entities: ENTITIES,
}).initialize();
try {
  const measured = await measure(dataSource);
  const scale = await yardstick(dataSource);
  report(measured);
  const sorted = measured.results.map(({ ms }) => ms).sort((a, b) => a - b);
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(sorted, share));
  const ratios = { 'p95 of the combinations beside the yardstick': p95 / scale };
  const { differences } = measured;
  keepFigures(given.json, {
    ratios,
    combinations: sorted.length,
    p50,
    p95,
    max,
    scale,
    differences,
  });
} finally {
  await dataSource.destroy();
}
