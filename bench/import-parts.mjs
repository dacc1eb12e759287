// Measures where the time of an imported row goes: the processor time of each statement of a batch, and of the process
// that reads the file and builds the statements. Runs one statement at a time, in this process; the service pipelines
// the statements of a batch.
//   npm run bench -- import-parts [--server URL --rows 20000 --json FILE]
import 'reflect-metadata';

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import pg from 'pg';
import { DataSource } from 'typeorm';

import { ENTITIES } from '../dist/src/app/schema.js';
import { dataSourceOptions } from '../dist/src/platform/database/data-source.options.js';
import { runMigrations } from '../dist/src/platform/database/migrator.js';

import { ImportRepository } from '../dist/src/transfer/import/import.repository.js';
import { importBatch } from '../dist/src/transfer/import/import-batch.js';
import { ReadingThread } from '../dist/src/transfer/import/reading-thread.js';
import { JSON_OPTION, keepFigures } from './figures.mjs';
import { writePocketZip } from './import/pocket-zip.mjs';

const { values: given } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    rows: { type: 'string', default: '20000' },
    ...JSON_OPTION,
  },
});
const NAME = 'satchel_bench_import_parts';
/** Up to this size, a list has no search index (docs/decisions/0044). The first rows are imported without measuring. */
const BEFORE = 8000;
const rows = Number(given.rows);

async function administrate(...statements) {
  const client = new pg.Client({ connectionString: given.server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Names a statement by its command and table. */
function nameOf(text) {
  const plain = text.replaceAll(/\/\*.*?\*\//gs, '').trim();
  const written = /(?:INSERT INTO|UPDATE|DELETE FROM) (?!quota)"?(\w+)"?/.exec(plain);
  const table = plain.startsWith('WITH asked')
    ? 'INSERT page_requests'
    : written && `${written[0].split(' ')[0]} ${written[1]}`;
  const read = /FROM \(?"?(?:SELECT \* FROM )?(\w+)/.exec(plain);
  return table ?? (read ? `SELECT ${read[1]}` : plain.split(/\s/)[0]);
}

/** Runs statements one after another. Measures each with the processor clock of the session's server process. */
async function measuredRunner(dataSource) {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  const [{ pid }] = await runner.query('SELECT pg_backend_pid() AS pid');
  const clock = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'ascii').split(' ')[0]) / 1000;
  const parts = new Map();
  const plain = runner.query.bind(runner);
  let last = Promise.resolve();
  runner.query = (text, ...others) => {
    const run = async () => {
      const before = clock();
      const result = await plain(text, ...others);
      const name = nameOf(text);
      parts.set(name, (parts.get(name) ?? 0) + clock() - before);
      return result;
    };
    last = last.then(run, run);
    return last;
  };
  return { runner, parts, walOf: (from) => plain(WAL, [from]) };
}
const WAL = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes, pg_current_wal_insert_lsn()::text AS at`;

const processor = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Reads a file twice, as the service does. Returns the batches of the second pass. */
async function read(path) {
  const thread = new ReadingThread();
  const { signal } = new AbortController();
  await thread.open(path);
  await thread.count(signal);
  const begun = processor();
  await thread.count(signal);
  const batches = [];
  for await (const batch of thread.batches(0, signal)) batches.push(batch);
  const used = processor() - begun;
  await thread.close();
  return { batches, used };
}

const directory = mkdtempSync(join(tmpdir(), 'satchel-bench-'));
await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`, `CREATE DATABASE ${NAME}`);
const url = Object.assign(new URL(given.server), { pathname: `/${NAME}` }).href;
await runMigrations({ url });
const dataSource = await new DataSource({
  ...dataSourceOptions({ url }, 1),
  entities: ENTITIES,
}).initialize();
try {
  const path = join(directory, 'pocket.zip');
  await writePocketZip(path, { who: 'one', rows: BEFORE + rows });
  const { batches, used: reading } = await read(path);
  const { runner, parts, walOf } = await measuredRunner(dataSource);
  await runner.query(
    `INSERT INTO users (name, email, password_hash) VALUES ('One', 'one@example.com', '')`,
  );
  await runner.query(`INSERT INTO lists (user_id) SELECT id FROM users`);
  const imports = ImportRepository.in(runner.manager);
  const id = await imports.begin({ userId: '1', fileName: 'pocket.zip', restoresDeleted: false });
  await imports.ready(id);
  const job = await imports.claim();
  const importAll = async (some) => {
    for (const batch of some) {
      await runner.startTransaction();
      await importBatch(runner.manager, job, {
        rows: batch,
        now: Math.floor(Date.now() / 1000),
        pagesPerHour: 0,
      });
      await runner.commitTransaction();
    }
  };
  await importAll(batches.slice(0, BEFORE / 100));
  parts.clear();
  const [{ at }] = await walOf('0/0');
  const begun = processor();
  await importAll(batches.slice(BEFORE / 100));
  const planning = processor() - begun;
  const [{ bytes }] = await walOf(at);
  const figures = [
    ...[...parts]
      .map(([name, used]) => [name, used / rows])
      .sort((one, other) => other[1] - one[1]),
    ['process: reading the file, twice', reading / (BEFORE + rows)],
    ['process: rows, statements, answers', planning / rows],
  ];
  console.log('µs of processor time for each row');
  for (const [name, used] of figures) console.log(name.padEnd(40), used.toFixed(1).padStart(8));
  const sum = figures.reduce((all, [, used]) => all + used, 0);
  console.log('all'.padEnd(40), sum.toFixed(1).padStart(8));
  console.log(`bytes of WAL for each row: ${(bytes / rows).toFixed(0)}`);
  const shown = [...figures, ['all', sum]].map(([part, us]) => ({ part, us }));
  keepFigures(given.json, { rows: shown, imported: rows, wal: bytes / rows });
} finally {
  await dataSource.destroy();
  rmSync(directory, { recursive: true });
  if (process.env.KEEP_BENCH !== '1')
    await administrate(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
}
