import { statfs } from 'node:fs/promises';

import type { EmbeddedConnection } from './connection.js';
import { Session } from './session.js';

/** The number of 16 MB segments of the write-ahead log that are created as a reserve. */
const RESERVED_SEGMENTS = 3;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/** The minimum free disk space in bytes. With less space, the reserve of write-ahead log segments is not created. */
const LEAST_FREE_BYTES = 10 * RESERVED_SEGMENTS * SEGMENT_BYTES;

/**
 * The query that counts the write-ahead log segments after the current segment, which are the reserve. The names of
 * segments increase with the log.
 */
const COUNT = `
  SELECT count(*)::int FROM pg_ls_waldir()
  WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_lsn())`;
/**
 * The query that switches to the next segment of the write-ahead log. It first writes a message, because PostgreSQL
 * does not leave a segment without new data.
 */
const LEAVE_SEGMENT = `SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'satchel', '')`;

/**
 * Creates a reserve of write-ahead log segments. With this reserve, PostgreSQL still serves reads when the disk is
 * full. Without it, PostgreSQL would stop at the next segment and would not start again. The next checkpoint turns the
 * old segments into the reserve.
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
