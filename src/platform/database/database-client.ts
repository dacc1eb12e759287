import { createHash } from 'node:crypto';
import { Socket } from 'node:net';

import pg from 'pg';

import { NoConnectionError, SilentDatabaseError, StandbyError } from './database.errors.js';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** The time for which the database may be silent while a response is due. There is no limit by default. */
  readonly answerTimeoutMillis?: number;
  /**
   * The names of prepared statements, which the connections of a pool share. By default, each client has its own names.
   */
  readonly statementNames?: StatementNames;
  /** False if the next statement may run in another session, which does not know the prepared statements. */
  readonly preparesStatements?: boolean;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** The maximum number of named statements. Each session keeps the plan of every named statement. */
const MAX_NAMES = 500;

/** The names of the prepared statements of a pool. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /**
   * Returns the name of a statement, or undefined if there are too many names. Each instance uses the same name for a
   * statement, so a pooler that tracks prepared statements can share the statement.
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
 * The class of every connection, also for the statements of TypeORM. Unlike the client of pg, this class prepares each
 * statement that has values and reports the first error of a transaction. It also handles a connection that ends or
 * falls silent.
 *
 * An error event without a listener would end the process, and a connection has no listener while it passes from the
 * pool to TypeORM. The caller gets the error from the query itself. A connection that is silent for too long is
 * destroyed. The `query_timeout` of pg does not suffice: it includes the time of earlier statements, and it leaves a
 * silent connection in the pool.
 */
export class DatabaseClient extends pg.Client {
  private readonly limitMs: number;
  private readonly statementNames: StatementNames;
  private readonly preparesStatements: boolean;
  private longerMs: number | undefined;
  /** The number of bytes that were written when the last response arrived. */
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

  /** Wraps errors in NoConnectionError, because errors of files and of other servers have the same codes. */
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

  /** Prepares a statement with values if the arguments have the form that TypeORM uses. pg handles other forms. */
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
          reject(this.firstErrorOf(error));
        } else {
          this.forgetError();
          resolve(result);
        }
      });
    });
  }

  /**
   * Returns the first error of the transaction. After a statement fails, the statements that were sent together with it
   * fail too (25P02, 26000). The caller may receive one of these later errors first.
   */
  private firstErrorOf(error: Error): Error {
    if (this.getTransactionStatus() === 'I') {
      return error;
    }
    this.firstError ??= error;
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
      // `setImmediate` lets Node first read data that arrived while this process was busy.
      setImmediate(() => {
        if (socket.bytesRead === bytesRead && socket.bytesWritten > this.bytesAnswered) {
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
 * The settings of each session in the pool. The service sends the settings in a statement, because poolers reject or
 * ignore unknown settings at the start of a session.
 */
export const SESSION_SETTINGS = {
  /**
   * The time limit of a statement. A statement that exceeds this limit is an error of the service. A writer that waits
   * for a lock has a shorter limit: it fails with `service_busy`, and clients may retry.
   */
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  /**
   * Plans each prepared statement once, without its values, because every statement has only one good plan
   * (docs/decisions/0045). `jit` is off, because compiling a short statement takes longer than running it.
   */
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
} as const;

/** Settings for Citus, which needs the values of some statements to find the servers for the statements. */
export const DISTRIBUTED_SETTINGS = { plan_cache_mode: 'auto' } as const;

/** SQL that is true if Citus is installed. Checks for a table of the catalog of Citus. */
export const HAS_CITUS = `to_regclass('pg_dist_partition') IS NOT NULL`;

/** The settings as pairs of a name and an SQL expression. */
export const SETTING_VALUES: readonly (readonly [name: string, value: string])[] = Object.entries(
  SESSION_SETTINGS,
).map(([name, value]) => [
  name,
  name === 'plan_cache_mode'
    ? `CASE WHEN ${HAS_CITUS} THEN '${DISTRIBUTED_SETTINGS.plan_cache_mode}' ELSE '${value}' END`
    : `'${value}'`,
]);

/** Settings for migrations and backups. These settings replace the defaults of the role (docs/decisions/0081). */
const UNLIMITED = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  plan_cache_mode: 'auto',
} as const;

/**
 * With these settings, the server ends the session of a vanished client and releases its locks. Unix sockets do not
 * need these settings.
 */
const TCP_SETTINGS = {
  tcp_user_timeout: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

/**
 * A database that is silent for longer than this is unreachable. The value is larger than `statement_timeout`, at which
 * the database ends a statement.
 */
export const ANSWER_TIMEOUT_MS = 7000;
/** The time that is added to the time limit of a long statement. */
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
 * Applies the settings to a new session. Rejects a standby, which accepts no writes and may return data that is older
 * than the data in earlier responses (docs/decisions/0084).
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
