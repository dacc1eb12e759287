import { createHash } from 'node:crypto';
import { Socket } from 'node:net';

import pg from 'pg';

import { NoConnectionError, SilentDatabaseError, StandbyError } from './database.errors.js';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** The time limit in milliseconds for a response of the database to a statement. By default, there is no limit. */
  readonly answerTimeoutMillis?: number;
  /**
   * The names of prepared statements. The connections of a pool share one object. By default, each connection creates
   * its own object.
   */
  readonly statementNames?: StatementNames;
  /** False if prepared statements cannot be used, because the next statement may run in another session. */
  readonly preparesStatements?: boolean;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** The maximum number of prepared statements. Each session keeps the plans of all its prepared statements in memory. */
const MAX_NAMES = 500;

/** The names of prepared statements. All connections of a pool use the same name for the same statement. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /**
   * Returns the name of the prepared statement for a SQL text. Returns undefined for a new text if there are too many
   * names. The name is a hash of the text, so a pooler can share the prepared statement between instances of the
   * service.
   */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MAX_NAMES) {
      return known;
    }
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    this.names.set(text, name);
    return name;
  }
}

/**
 * A connection of pg that prepares each statement with values. It reports the first error of a
 * transaction, and closes itself if the server is silent for too long. It listens for error events,
 * because an error event without a listener would end the process. The option `query_timeout` of pg
 * cannot detect a silent server: its time includes the time of earlier statements, and the silent
 * connection stays in the pool.
 */
export class DatabaseClient extends pg.Client {
  private readonly limitMs: number;
  private readonly statementNames: StatementNames;
  private readonly preparesStatements: boolean;
  private longerMs: number | undefined;
  /**
   * The number of bytes that had been sent when the database had last responded to all statements.
   * If more bytes have been sent since then, a response is missing.
   */
  private bytesAnswered = 0;
  /** The first error of the current transaction. Undefined if no statement has failed. */
  private firstError: Error | undefined;

  constructor(config: DatabaseClientConfig = {}) {
    super(config);
    this.limitMs = config.answerTimeoutMillis ?? 0;
    this.statementNames = config.statementNames ?? new StatementNames();
    this.preparesStatements = config.preparesStatements ?? true;
    this.on('error', () => undefined);
    this.once('connect', () => {
      this.watch();
    });
    this.on('drain', () => {
      this.answered();
    });
  }

  /**
   * Connects to the database. Wraps an error in NoConnectionError, because errors of files and of other servers have
   * the same error codes as errors of the database connection.
   */
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      return super.connect().catch((cause: unknown) => {
        throw new NoConnectionError(cause);
      });
    }
    super.connect((cause: Error | null) => {
      const error = cause && new NoConnectionError(cause);
      Reflect.apply(callback, undefined, [error, this]);
    });
    return undefined;
  }

  /**
   * Runs a statement. If TypeORM calls this method, prepares each statement that has values. Passes all other calls to
   * pg.
   */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the form of the call decides
  override query<Answer>(...call: unknown[]): Answer {
    const [text, values, callback] = call;
    const answer: unknown =
      typeof text === 'string' && typeof values !== 'function' && callback === undefined
        ? this.answerTo(text, Array.isArray(values) ? values : undefined)
        : Reflect.apply(super.query.bind(this), undefined, call);
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the form of the call decides
    return answer as Answer;
  }

  /** Raises the time limit for responses until the transaction ends. */
  waitLonger(limitMs: number): void {
    if (this.limitMs > 0) {
      this.longerMs = limitMs;
      this.socket?.setTimeout(limitMs);
    }
  }

  private answerTo(text: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    const name = this.preparesStatements ? this.statementNames.of(text) : undefined;
    const query = values === undefined ? { text } : { name, text, values };
    return new Promise((resolve, reject) => {
      super.query(query, (error: Error | null, result: pg.QueryResult) => {
        if (error) {
          reject(this.firstErrorOf(error, text));
        } else {
          this.forgetError();
          resolve(result);
        }
      });
    });
  }

  /**
   * Returns the first error of the transaction. Later statements of the transaction fail too
   * (25P02, 26000), and the caller may receive the errors of later statements first. The property `query` is the text of
   * the first statement that failed. TypeORM copies it to its own error, which the log shows.
   */
  private firstErrorOf(error: Error, text: string): Error {
    if (this.getTransactionStatus() === 'I') {
      return error;
    }
    this.firstError ??= Object.assign(error, { query: text });
    return this.firstError;
  }

  private forgetError(): void {
    if (this.getTransactionStatus() !== 'E') {
      this.firstError = undefined;
    }
  }

  private get socket(): Socket | undefined {
    const { stream } = this.connection;
    return stream instanceof Socket ? stream : undefined;
  }

  private watch(): void {
    const { socket } = this;
    socket?.setTimeout(this.limitMs);
    socket?.on('timeout', () => {
      const { bytesRead } = socket;
      // A connection without an open statement was only idle. `setImmediate` may come after the next statement.
      const isWaiting = socket.bytesWritten > this.bytesAnswered;
      // After `setImmediate`, Node has read all responses that arrived while this process was busy.
      setImmediate(() => {
        if (isWaiting && socket.bytesRead === bytesRead) {
          socket.destroy(new SilentDatabaseError());
        }
      });
    });
  }

  private answered(): void {
    this.bytesAnswered = this.socket?.bytesWritten ?? 0;
    if (this.longerMs !== undefined && this.getTransactionStatus() === 'I') {
      this.longerMs = undefined;
      this.socket?.setTimeout(this.limitMs);
    }
  }
}

/**
 * The settings of each database session of the service. The service sets them with a SQL statement, because poolers
 * reject or ignore unknown settings in the startup message of a connection.
 */
export const SESSION_SETTINGS = {
  /**
   * A statement that takes longer than 5 s is a bug of the service. The time limit for locks is
   * shorter. A call that waits too long for a lock fails with `service_busy`, so that the client
   * can retry.
   */
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  /**
   * Makes PostgreSQL plan each prepared statement only once, because the best plan does not depend
   * on the values (docs/decisions/0045). `jit` is off, because compiling a short statement takes
   * longer than running it.
   */
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
} as const;

/**
 * The settings that override SESSION_SETTINGS if Citus, which distributes tables over servers, is
 * installed. Citus chooses the server by the values of a statement. The plan must therefore depend
 * on the values.
 */
export const DISTRIBUTED_SETTINGS = { plan_cache_mode: 'auto' } as const;

/** A SQL condition that is true if Citus is installed. It checks for a catalog table of Citus. */
export const HAS_CITUS = `to_regclass('pg_dist_partition') IS NOT NULL`;

/** The session settings as pairs of a name and a SQL expression. */
export const SETTING_VALUES: readonly (readonly [name: string, value: string])[] = Object.entries(
  SESSION_SETTINGS,
).map(([name, value]) => [
  name,
  name === 'plan_cache_mode'
    ? `CASE WHEN ${HAS_CITUS} THEN '${DISTRIBUTED_SETTINGS.plan_cache_mode}' ELSE '${value}' END`
    : `'${value}'`,
]);

/**
 * The session settings for migrations and backups, without time limits. They are set in each
 * session, because the time limits of the service may be defaults of the database role
 * (docs/decisions/0081).
 */
const UNLIMITED = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  plan_cache_mode: 'auto',
} as const;

/**
 * Settings that make the server end the session of a client that has disappeared, and release its locks. Connections
 * over Unix sockets do not need them.
 */
const TCP_SETTINGS = {
  tcp_user_timeout: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

/**
 * The time in milliseconds after which a silent database is treated as unreachable. It is longer
 * than `statement_timeout`, so that the database itself can end a slow statement first.
 */
export const ANSWER_TIMEOUT_MS = 7000;
/**
 * The additional time in milliseconds to wait for a response after the time limit of a long
 * statement.
 */
export const ANSWER_MARGIN_MS = 2000;

const setting = (settings: readonly (readonly [name: string, value: string])[]): string =>
  `SELECT ${settings
    .map(([name, value]) => `set_config('${name}', ${value}, false)`)
    .join(', ')}, pg_is_in_recovery() AS is_standby`;

const quoted = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).map(([name, value]) => [name, `'${value}'`] as const);

const SET_UP = setting([...SETTING_VALUES, ...quoted(TCP_SETTINGS)]);
const LIFT = setting(quoted(UNLIMITED));

/**
 * Applies the session settings to a new session. Rejects a standby server, because it accepts no
 * writes and may return stale data (docs/decisions/0084).
 *
 * @throws NoConnectionError if a statement fails or the server is a standby
 */
export async function setUpSession(session: pg.ClientBase): Promise<void> {
  if ((await given(session, SET_UP)).isStandby) {
    throw new NoConnectionError(new StandbyError());
  }
}

/**
 * Removes the time limits of a new session.
 *
 * @throws NoConnectionError if the statement fails
 */
export async function liftLimits(session: pg.ClientBase): Promise<void> {
  await given(session, LIFT);
}

async function given(session: pg.ClientBase, statement: string): Promise<{ isStandby: boolean }> {
  const { rows } = await session
    .query<{ is_standby: boolean }>(statement)
    .catch((cause: unknown) => {
      throw new NoConnectionError(cause);
    });
  return { isStandby: rows[0]?.is_standby === true };
}
