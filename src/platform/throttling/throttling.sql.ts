/*
 * The statements for call and attempt counters are raw SQL, because TypeORM does not support their features: upserts
 * that read the existing row, rows from `unnest`, and SKIP LOCKED.
 */

/** Counts an attempt. A period begins with its first attempt, and later attempts do not extend it. */
export const COUNT_ATTEMPT = `
  INSERT INTO throttle_counters AS counter (key, hits, expires_at)
  VALUES ($1, 1, now() + make_interval(secs => $2))
  ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN counter.expires_at > now() THEN counter.hits + 1 ELSE 1 END,
    expires_at = CASE WHEN counter.expires_at > now() THEN counter.expires_at ELSE excluded.expires_at END
  RETURNING hits, ceil(extract(epoch FROM expires_at - now()))::int AS seconds_left, expires_at::text AS ends_at`;

/**
 * Counts calls in advance for a process. An hour begins with the first counted call. The counters
 * are locked in a fixed order, so that two statements cannot deadlock.
 */
export const TAKE_CALLS = `
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

/**
 * Subtracts calls that were counted in advance but not made. Calls of an ended hour are not
 * subtracted from the next hour.
 */
export const GIVE_CALLS_BACK = `
  WITH held AS (
    SELECT counter.key, held.unspent
    FROM unnest($1::text[], $2::int[], $3::timestamptz[]) AS held (key, unspent, ends_at)
    JOIN call_counters counter ON counter.key = held.key AND counter.ends_at = held.ends_at
    ORDER BY counter.key FOR UPDATE OF counter)
  UPDATE call_counters counter SET taken = counter.taken - held.unspent FROM held WHERE counter.key = held.key`;
