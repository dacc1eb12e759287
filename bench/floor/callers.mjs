// Finds the callers of requests in the database, as a server without a framework would: signatures of tokens are cached
// as in the service, and one statement finds all callers that arrive in one turn of the event loop, with the versions of
// their lists.
import { createHash, createSecretKey } from 'node:crypto';

import DataLoader from 'dataloader';
import jwt from 'jsonwebtoken';

import { pool } from './lists.mjs';

const FIND = `
  SELECT key.id AS key_id, owner.id AS user_id, greatest(list.stamp, floor(extract(epoch FROM now())))::bigint AS since, list.stamp
  FROM unnest($1::bytea[], $2::bigint[], $3::int[]) WITH ORDINALITY AS asked (key_hash, user_id, epoch, place)
  LEFT JOIN LATERAL (SELECT id FROM consumer_keys WHERE key_hash = asked.key_hash AND disabled_at IS NULL OFFSET 0) key ON true
  LEFT JOIN LATERAL (SELECT id FROM users WHERE id = asked.user_id AND session_epoch = epoch AND disabled_at IS NULL OFFSET 0) owner ON true
  LEFT JOIN LATERAL (SELECT stamp FROM lists WHERE user_id = owner.id OFFSET 0) list ON true
  ORDER BY place`;

const secret = createSecretKey(Buffer.from(process.env.SECRET));
const options = { algorithms: ['HS256'], issuer: 'satchel', audience: 'satchel' };
const verified = new Map();

function claimsOf(token) {
  const claims = verified.get(token) ?? jwt.verify(token, secret, options);
  verified.set(token, claims);
  if (claims.exp * 1000 < Date.now()) throw new Error('the token has expired');
  return claims;
}

const loader = new DataLoader(
  async (asked) => {
    const values = ['keyHash', 'user', 'epoch'].map((name) => asked.map((one) => one[name]));
    return (await pool.query({ name: 'callers', text: FIND, values })).rows;
  },
  { cache: false, batchScheduleFn: setImmediate },
);

/** Returns the key and the user of a request, and the version of the list. */
export async function callerOf({ consumer_key, access_token }) {
  const { sub, epoch } = claimsOf(access_token);
  const keyHash = createHash('sha256').update(consumer_key).digest();
  const caller = await loader.load({ keyHash, user: sub, epoch });
  if (caller.key_id === null || caller.user_id === null) throw new Error('unknown caller');
  return caller;
}

const LIMIT = 100_000_000;
const HOUR = 3_600_000;
const counters = new Map();

function counted(name, now) {
  const known = counters.get(name);
  const counter = known !== undefined && now < known.ends ? known : { calls: 0, ends: now + HOUR };
  counter.calls += 1;
  counters.set(name, counter);
  return counter;
}

/** Counts the call in memory, and sets the headers with the limits of the user and of the key. */
export function countCall(response, { user_id, key_id }) {
  const now = Date.now();
  for (const [name, id] of [
    ['user', user_id],
    ['key', key_id],
  ]) {
    const { calls, ends } = counted(`${name}:${id}`, now);
    response.setHeader(`x-limit-${name}-limit`, LIMIT);
    response.setHeader(`x-limit-${name}-remaining`, LIMIT - calls);
    response.setHeader(`x-limit-${name}-reset`, Math.ceil((ends - now) / 1000));
  }
}
