import type { EntityManager } from 'typeorm';

import { run } from '../database/statements.js';

/** What an instance asks for: `wanted` calls of a counter that allows `allowed` in its window. */
export interface LeaseRequest {
  readonly key: string;
  readonly allowed: number;
  readonly wanted: number;
}

/** What it gets, in the window that `ends_at` names. */
export interface LeaseRow {
  readonly key: string;
  /** At most what was wanted; 0 when all are taken. */
  readonly lease: number;
  /** What nobody has taken yet. */
  readonly left: number;
  readonly ends_at: string;
  readonly seconds_left: number;
}

/** Calls that an instance has taken and not spent. */
export interface UnspentLease {
  readonly key: string;
  readonly unspent: number;
  readonly endsAt: string;
}

/** A window begins with its first call. Counters are locked in one order, so that no two instances wait for each other. */
const TAKE = `
  INSERT INTO call_counters AS counter (key, allowed, taken, lease, ends_at)
  SELECT key, allowed, least(wanted, allowed), least(wanted, allowed), now() + make_interval(secs => $4)
  FROM unnest($1::text[], $2::int[], $3::int[]) AS request (key, allowed, wanted)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET (allowed, taken, lease, ends_at) = (
    SELECT excluded.allowed, before.taken + given.lease, given.lease, before.ends_at
    FROM (SELECT
        CASE WHEN counter.ends_at > now() THEN counter.taken ELSE 0 END AS taken,
        CASE WHEN counter.ends_at > now() THEN counter.ends_at ELSE excluded.ends_at END AS ends_at) before,
      LATERAL (SELECT greatest(0, least(excluded.lease, excluded.allowed - before.taken)) AS lease) given)
  RETURNING key, lease, greatest(0, allowed - taken) AS left, ends_at::text,
    extract(epoch FROM ends_at - now())::float8 AS seconds_left`;

/** What was taken in a window that has ended is not given back to the next. */
const GIVE_BACK = `
  WITH held AS (
    SELECT counter.key, held.unspent
    FROM unnest($1::text[], $2::int[], $3::timestamptz[]) AS held (key, unspent, ends_at)
    JOIN call_counters counter ON counter.key = held.key AND counter.ends_at = held.ends_at
    ORDER BY counter.key FOR UPDATE OF counter)
  UPDATE call_counters counter SET taken = counter.taken - held.unspent FROM held WHERE counter.key = held.key`;

const SWEEP = `
  DELETE FROM call_counters WHERE key IN
    (SELECT key FROM call_counters WHERE ends_at < now() FOR UPDATE SKIP LOCKED)`;

/** The counters that all instances take their calls from. */
export class CallCounterStore {
  constructor(private readonly manager: EntityManager) {}

  /** One row for each request; their keys differ. */
  take(requests: readonly LeaseRequest[], windowSeconds: number): Promise<LeaseRow[]> {
    const values = [
      requests.map(({ key }) => key),
      requests.map(({ allowed }) => allowed),
      requests.map(({ wanted }) => wanted),
      windowSeconds,
    ];
    return run<LeaseRow & Record<string, unknown>>(this.manager, { text: TAKE, values });
  }

  async giveBack(leases: readonly UnspentLease[]): Promise<void> {
    const values = [
      leases.map(({ key }) => key),
      leases.map(({ unspent }) => unspent),
      leases.map(({ endsAt }) => endsAt),
    ];
    await run(this.manager, { text: GIVE_BACK, values });
  }

  async sweep(): Promise<void> {
    await run(this.manager, { text: SWEEP, values: [] });
  }
}
