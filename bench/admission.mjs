// Creates the credentials for the load generator: a consumer key, and an access token of each user.
import 'reflect-metadata';

import { createHash, randomBytes } from 'node:crypto';

import pg from 'pg';

import { AccessTokens } from '../dist/src/auth/access-tokens.js';

export const SECRET = randomBytes(32).toString('base64');
/** In seconds. Longer than any benchmark runs. */
export const TTL = 3600;

const tokens = new AccessTokens(
  { seconds: () => Math.floor(Date.now() / 1000) },
  { jwtSecrets: [SECRET], accessTokenTtlSeconds: TTL },
);

/** The user with the list of 50,000 items that benchmarks write to. */
const WRITTEN = '2';

/** `of(user)` returns the credentials of that user. */
export async function admitted(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = async (text) => (await client.query(text)).rows;
  const key = `1-${randomBytes(12).toString('hex')}`;
  await client.query(
    `INSERT INTO consumer_keys (id, name, key_hash, permissions, dialect)
     OVERRIDING SYSTEM VALUE VALUES (1, 'Benchmark', $1, '{retrieve,add,modify}', 'standard')`,
    [createHash('sha256').update(key).digest()],
  );
  const [{ epoch }] = await query('SELECT session_epoch AS epoch FROM users WHERE id = 1');
  const ids = await query(
    `SELECT item_id FROM items WHERE user_id = ${WRITTEN} ORDER BY added_order DESC LIMIT 5000`,
  );
  const stamps = await query(
    `SELECT user_id, greatest(stamp, floor(extract(epoch FROM now()))) AS stamp FROM lists WHERE user_id IN (1, 100)`,
  );
  await client.end();
  const of = (user) => ({
    consumer_key: key,
    access_token: tokens.sign({ userId: user, tokenVersion: Number(epoch) }),
  });
  return {
    of,
    stamps: new Map(stamps.map(({ user_id, stamp }) => [user_id, Number(stamp)])),
    ofSends: async () => ({ credentials: of(WRITTEN), itemIds: ids.map(({ item_id }) => item_id) }),
  };
}
