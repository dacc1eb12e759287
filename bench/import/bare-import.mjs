// The minimum work of an import: parse rows and insert them into one plain table, 500 per transaction.
import { parse } from 'csv-parse';
import pg from 'pg';

import { rowOf } from './pocket-zip.mjs';

const TABLE = `CREATE TABLE bare_items (
  user_id bigint, url text, title text, tags text[], time_added bigint, status smallint, PRIMARY KEY (user_id, url))`;
const INSERT = `INSERT INTO bare_items SELECT $1, url, title, string_to_array(tags, '|'), added, status
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::smallint[]) AS row (url, title, tags, added, status)`;
const BATCH = 500;

/** Returns rows per second. */
export async function importBarely(url, rows) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(TABLE);
  const started = performance.now();
  const parser = parse();
  const write = async (batch) => {
    const column = (at) => batch.map((row) => row[at]);
    const status = batch.map((row) => (row[4] === 'archive' ? 1 : 0));
    await client.query('BEGIN');
    await client.query({
      name: 'insert',
      text: INSERT,
      values: [1, column(1), column(0), column(3), column(2), status],
    });
    await client.query('COMMIT');
  };
  const feeding = (async () => {
    for (let at = 0; at < rows; at += 1) {
      if (!parser.write(rowOf('bare', at))) await new Promise((go) => parser.once('drain', go));
    }
    parser.end();
  })();
  let batch = [];
  for await (const row of parser) {
    batch.push(row);
    if (batch.length === BATCH) {
      await write(batch);
      batch = [];
    }
  }
  await feeding;
  if (batch.length > 0) await write(batch);
  const rate = (rows * 1000) / (performance.now() - started);
  await client.query('DROP TABLE bare_items');
  await client.end();
  return rate;
}
