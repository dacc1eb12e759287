import { statfs } from 'node:fs/promises';

import type { EmbeddedConnection } from './connection.js';
import { Session } from './session.js';

/** Segments of the log of transactions that the server keeps for later, 16 MB each. */
const RESERVED_SEGMENTS = 3;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/** On a smaller disk the reserve is not created. */
const LEAST_FREE_BYTES = 10 * RESERVED_SEGMENTS * SEGMENT_BYTES;

/** Segments behind the one that is written now. Their names grow with the log. */
const COUNT = `
  SELECT count(*)::int FROM pg_ls_waldir()
  WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_lsn())`;
/** A segment is only left when something is written to it. */
const LEAVE_SEGMENT = `SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'satchel', '')`;

/**
 * PostgreSQL stops, and does not start again, when it cannot create the next segment of its log. With segments in
 * reserve it goes on reading on a full disk. Segments that are left become the reserve at the next checkpoint.
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
