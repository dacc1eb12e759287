// Searches the articles of the largest list as `q` of get does: first page, by relevance and in other orders, with and
// without other filters. Prints elapsed time, processor time of the database, and the size of the words on disk.
//   node bench/text-queries.mjs [--server URL] [--database satchel_bench] [--user 1] [--only TEXT]
//     [--repeats 9] [--json FILE]
import 'reflect-metadata';

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import pg from 'pg';
import { DataSource } from 'typeorm';

import { ENTITIES } from '../dist/src/app/schema.js';
import { dataSourceOptions } from '../dist/src/platform/database/data-source.options.js';
import { ItemQuery } from '../dist/src/reading-list/query/item.query.js';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { listDatabase } from './list-data.mjs';
import { fillTexts, halfArticle, stem } from './text-data.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    database: { type: 'string', default: 'satchel_bench' },
    user: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    repeats: { type: 'string', default: '9' },
    ...JSON_OPTION,
  },
});

const english = halfArticle(0).text.split(' ');
const japanese = halfArticle(11).text;
const TEXTS = {
  'the commonest word': stem(0),
  'a common word': stem(20),
  'a word of many': stem(200),
  'a rare word': stem(5000),
  'a very rare word': stem(50_000),
  'no word': 'zqxjkvw',
  'a word of titles': 'postgres',
  'two common words': `${stem(0)} ${stem(7)}`,
  'common and rare': `${stem(0)} ${stem(5000)}`,
  'three words': `${stem(3)} ${stem(300)} ${stem(30)}`,
  'one or another': `${stem(400)} or ${stem(800)}`,
  'common without common': `${stem(2)} -${stem(5)}`,
  'rare without common': `${stem(3000)} -${stem(0)}`,
  'a phrase': `"${english.slice(20, 23).join(' ')}"`,
  'a phrase of common words': `"${stem(0)} ${stem(1)}"`,
  'without a phrase': `${stem(50)} -"${stem(0)} ${stem(1)}"`,
  'two characters': japanese.slice(30, 32),
  'four characters': japanese.slice(30, 34),
  'stop words': 'the of and',
};
const MORE = {
  alone: {},
  archived: { filter: { state: 'archive' } },
  favorites: { filter: { favorite: true } },
  tagged: { filter: { tag: { key: 'later' } } },
  'by title': { order: 'title', isRanked: false },
  newest: { isRanked: false },
  'with total': { withTotal: true },
  'page 10': { page: { count: 30, offset: 270 } },
  'page 100': { page: { count: 30, offset: 2970 } },
};

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];

async function processorClock(dataSource) {
  const [{ pid }] = await dataSource.query('SELECT pg_backend_pid() AS pid');
  const file = `/proc/${pid}/schedstat`;
  return () => Number(readFileSync(file, 'ascii').split(' ')[0]) / 1e6;
}

async function measure(dataSource) {
  const processor = await processorClock(dataSource);
  const results = [];
  for (const [more, others] of Object.entries(MORE)) {
    for (const [name, text] of Object.entries(TEXTS)) {
      const label = `${name} | ${more}`;
      if (!label.includes(given.only)) continue;
      const wanted = {
        ...{ order: 'newest', isRanked: true, page: { count: 30, offset: 0 } },
        ...others,
        filter: { ...others.filter, text },
      };
      const runs = [];
      let found;
      for (let repeat = 0; repeat <= Number(given.repeats); repeat += 1) {
        const begin = performance.now();
        const used = processor();
        found = await new ItemQuery(dataSource.manager, given.user).find(wanted);
        runs.push({ ms: processor() - used, wall: performance.now() - begin });
      }
      const median = (member) =>
        percentile(
          runs
            .slice(1)
            .map((run) => run[member])
            .sort((a, b) => a - b),
          0.5,
        );
      results.push({
        label,
        more,
        rows: found.rows.length,
        ms: median('ms'),
        wall: median('wall'),
      });
    }
  }
  return results;
}

function report(results) {
  const line = (name, chosen, member) => {
    const sorted = chosen.map((result) => result[member]).sort((a, b) => a - b);
    const figures = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(1).padStart(8));
    console.log(`${name} ${member}`.padEnd(18), String(sorted.length).padStart(4), ...figures);
  };
  console.log(`ms, medians of ${given.repeats}; load ${loadavg()[0].toFixed(1)}`);
  console.log(''.padEnd(18), ' all      p50      p95      max');
  for (const more of Object.keys(MORE)) {
    const chosen = results.filter((result) => result.more === more);
    if (chosen.length > 0) {
      line(more, chosen, 'ms');
      line(more, chosen, 'wall');
    }
  }
  line('all', results, 'ms');
  line('all', results, 'wall');
  for (const { label, rows, ms, wall } of results.toSorted((a, b) => b.ms - a.ms)) {
    console.log(
      ms.toFixed(1).padStart(8),
      wall.toFixed(1).padStart(8),
      String(rows).padStart(4),
      label,
    );
  }
}

async function sizes(dataSource) {
  const [found] = await dataSource.query(`
    SELECT (SELECT sum(a.bytes + b.bytes) FROM bench_items JOIN bench_halves a ON a.n = first JOIN bench_halves b ON b.n = second)
        ::float8 AS texts,
      pg_relation_size('item_texts_words_idx')::float8 AS index,
      (SELECT sum(pg_column_size(words)) FROM item_texts)::float8 AS words, pg_total_relation_size('item_texts')::float8 AS all`);
  const share = (name) =>
    `${name} ${(found[name] / 1e6).toFixed(0)} MB (${((100 * found[name]) / found.texts).toFixed(0)} %)`;
  console.log(['texts', 'index', 'words', 'all'].map(share).join(', '));
}

const url = await listDatabase(given.server, given.database);
// Uses its own client, because the service's client cancels statements that run as long as filling.
const filler = new pg.Client({ connectionString: url });
await filler.connect();
await fillTexts(filler);
await filler.end();
const dataSource = await new DataSource({
  ...dataSourceOptions({ url }, 1),
  entities: ENTITIES,
}).initialize();
try {
  await dataSource.query('SET statement_timeout = 0');
  await sizes(dataSource);
  await dataSource.query('RESET statement_timeout');
  const results = await measure(dataSource);
  report(results);
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(sorted, share));
  keepFigures(given.json, { searches: sorted.length, p50, p95, max });
} finally {
  await dataSource.destroy();
}
