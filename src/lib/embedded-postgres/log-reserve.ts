import { statfs } from 'node:fs/promises';

import type { EmbeddedConnection } from './connection.js';
import { Session } from './session.js';

/** The number of segments of the write-ahead log in the reserve. Each segment has 16 MB. */
const RESERVED_SEGMENTS = 3;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/** The minimum free disk space in bytes for creating the reserve of write-ahead log segments. */
const LEAST_FREE_BYTES = 10 * RESERVED_SEGMENTS * SEGMENT_BYTES;

/**
 * The query that counts the write-ahead log segments after the current segment. The names of segments increase with the
 * log.
 */
const COUNT = `
  SELECT count(*)::int FROM pg_ls_waldir()
  WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_lsn())`;
/**
 * The query that switches to the next write-ahead log segment. It first writes a message, because PostgreSQL never
 * leaves an unchanged segment.
 */
const LEAVE_SEGMENT = `SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'satchel', '')`;

/**
 * Creates a reserve of segments of the write-ahead log. With a reserve, PostgreSQL still serves reads on a full disk.
 * Without a reserve, PostgreSQL stops if it cannot create the next segment, and does not start again.
 * The old segments become the reserve at the next checkpoint.
 */
export async function reserveLog(connection: EmbeddedConnection, cluster: string): Promise<void> {
  await Session.use(connection, async (session) => {
    const missing = RESERVED_SEGMENTS - Number(await session.ask(COUNT));
    const { bavail, bsize } = await statfs(cluster);
    if (missing <= 0 || bavail * bsize < LEAST_FREE_BYTES) {
      return;
    }
    for (let left = 0; left < missing; left += 1) {
      await session.ask(LEAVE_SEGMENT);
    }
    await session.ask('CHECKPOINT');
  });
}
