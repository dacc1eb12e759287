import type pg from 'pg';

import { ANSWER_MARGIN_MS, liftLimits } from './database-client.js';

/**
 * The time limit in milliseconds for a statement of a check. It is longer than the 30 s after which Citus reports an
 * unreachable server.
 */
const STATEMENT_LIMIT_MS = 40_000;

/** The time after which the connection of a check is closed, if the database is silent. */
export const CHECK_ANSWER_TIMEOUT_MS = STATEMENT_LIMIT_MS + ANSWER_MARGIN_MS;

const LIMIT_WAITS = `SET lock_timeout = '2s'; SET statement_timeout = '${STATEMENT_LIMIT_MS}ms'`;

/**
 * Sets up the session of a check. A check does not wait long for a lock, because then it reports nothing, and other
 * sessions wait behind it.
 *
 * @throws NoConnectionError if the settings of the session cannot be changed
 */
export async function limitWaits(session: pg.ClientBase): Promise<void> {
  await liftLimits(session);
  await session.query(LIMIT_WAITS);
}
