/** A session of the database that blocks others, or that may soon block others. */
export interface LockingSession {
  readonly pid: number;
  /** The virtual id of the transaction. All roles may see it. */
  readonly transaction: string | null;
  readonly application: string;
  readonly role: string;
  /** The state of the session, such as `idle in transaction`. Null if this role may not see it. */
  readonly state: string | null;
  /** The age of the transaction. Null if this role may not see it. */
  readonly seconds: number | null;
  /** The number of sessions that wait for this session. */
  readonly waiting: number;
  /** The tables that this session locks against changes. */
  readonly tables: readonly string[];
  /** False if this may only be a short moment in the life of a healthy transaction. Null if the age is unknown. */
  readonly isLong: boolean | null;
}

/** Locks of tables of Satchel that exclude changes. */
const TABLE_LOCKS = `
    FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/**
 * Finds sessions for which others wait, and sessions that have locked a table against changes. A session that waits for
 * another session is left out, because the other session is the cause. Sessions of the server itself are left out. They
 * have no role, and roles without privileges cannot see their type.
 */
export const LOCKING_SESSIONS = `
  WITH waits AS (
    SELECT blocker AS pid, count(DISTINCT waiter.pid)::int AS waiting, min(waiter.query_start) AS since
    FROM (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted) waiting
      JOIN pg_stat_activity waiter USING (pid), unnest(pg_blocking_pids(waiter.pid)) blocker
    GROUP BY blocker
  ), locks AS (
    SELECT pid, array_agg(DISTINCT relname::text ORDER BY relname::text) AS tables ${TABLE_LOCKS} AND granted
    GROUP BY pid
  )
  SELECT session.pid, session.application_name AS application, coalesce(usename::text, '') AS role, state,
    (SELECT min(virtualtransaction) FROM pg_locks held WHERE held.pid = session.pid) AS transaction,
    extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds,
    coalesce(waiting, 0) AS waiting, coalesce(tables, '{}') AS tables,
    least(since, CASE WHEN tables IS NOT NULL THEN xact_start END)
      < clock_timestamp() - interval '1 second' AS "isLong"
  FROM pg_stat_activity session LEFT JOIN waits USING (pid) LEFT JOIN locks USING (pid)
  WHERE datname = current_database() AND session.pid <> pg_backend_pid() AND usesysid IS NOT NULL
    AND coalesce(backend_type, 'client backend') = 'client backend'
    AND session.pid NOT IN (SELECT pid FROM pg_locks WHERE NOT granted AND pid IS NOT NULL)
    AND (waiting > 0 OR tables IS NOT NULL)
  ORDER BY waiting DESC NULLS LAST, session.pid`;

/** Finds the tables that a session has locked, or that a session waits to lock. Others wait behind both. */
export const LOCKED_TABLES = `
  SELECT DISTINCT relname::text AS name ${TABLE_LOCKS} AND pid IS DISTINCT FROM pg_backend_pid() ORDER BY 1`;

/** A transaction that was prepared for a commit in two phases. It keeps its locks without a session. */
export interface PreparedTransaction {
  readonly gid: string;
  readonly role: string;
  readonly seconds: number;
}

/** A healthy program, such as Citus, ends a prepared transaction much sooner. */
export const OLD_PREPARED_TRANSACTIONS = `
  SELECT gid, owner::text AS role, extract(epoch FROM clock_timestamp() - prepared)::float8 AS seconds
  FROM pg_prepared_xacts
  WHERE database = current_database() AND prepared < clock_timestamp() - interval '5 minutes'
  ORDER BY prepared`;
