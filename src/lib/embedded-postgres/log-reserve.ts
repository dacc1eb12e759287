import { statfs } from 'node:fs/promises';

import type { EmbeddedConnection } from './connection.js';
import { Session } from './session.js';

/** Number of segments of the write-ahead log, of 16 MB each, that the server has in reserve. */
const RESERVED_SEGMENTS = 3;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/** If less space is free, the reserve is not created. */
const LEAST_FREE_BYTES = 10 * RESERVED_SEGMENTS * SEGMENT_BYTES;

/** Counts the segments after the current segment. Their names increase with the log. */
const COUNT = `
  SELECT count(*)::int FROM pg_ls_waldir()
  WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_lsn())`;
/** PostgreSQL switches to the next segment only after something is written to the current one. */
const LEAVE_SEGMENT = `SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'satchel', '')`;

/**
 * Creates a reserve of segments of the write-ahead log. PostgreSQL stops, and does not start again, if it cannot create
 * the next segment. With a reserve, it still serves reads on a full disk.
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
