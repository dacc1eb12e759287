import type pg from 'pg';

/**
 * What each session of the pool works under. It is set by a statement and not at the start of the session, where a
 * connection pooler refuses or ignores what it does not know.
 */
export const SESSION_SETTINGS = {
  /** A statement that takes longer is a fault of the service; a writer that waits longer is told to retry. */
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  /**
   * Plans of prepared statements are made once, without looking at values: the statements are written so that there
   * is one way to run them (docs/decisions/0015). They are short, and compiling them takes longer than they do.
   */
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
} as const;

/** With these the server gives up a session whose client has vanished, and its locks; Unix sockets need none of them. */
const TCP_SETTINGS = {
  tcp_user_timeout: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

/** The database answers, or refuses, a statement that runs into its time limit: one that does neither is gone. */
export const ANSWER_TIMEOUT_MS = 7000;
/** Above the limit of a statement that may take longer. */
export const ANSWER_MARGIN_MS = 2000;

const SET = `SELECT ${Object.entries({ ...SESSION_SETTINGS, ...TCP_SETTINGS })
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ')}`;

/** Gives a new session its settings. */
export async function setUpSession(session: pg.ClientBase): Promise<void> {
  await session.query(SET);
}
