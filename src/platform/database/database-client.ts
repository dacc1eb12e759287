import { createHash } from 'node:crypto';
import { Socket } from 'node:net';

import pg from 'pg';

import { NoConnectionError, SilentDatabaseError, StandbyError } from './database.errors.js';

export interface DatabaseClientConfig extends pg.ClientConfig {
  /** How long the database may send nothing while an answer is due; no limit by default. */
  readonly answerTimeoutMillis?: number;
  /** Those of the pool; of the client alone by default. */
  readonly statementNames?: StatementNames;
  /** False where the next statement may meet another session, which does not know their names. */
  readonly preparesStatements?: boolean;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Each session keeps the plans of all named statements, so their number is bounded. */
const MAX_NAMES = 500;

/** What the prepared statements of a pool are called. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** The same in every instance, so that a pooler that tracks prepared statements can share them. */
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
 * The class of every connection, for TypeORM's statements as for our own. It differs from that of pg in three ways:
 * it prepares each statement that has values, tells the first error of a transaction, and survives a connection that
 * ends at any moment or falls silent.
 *
 * Between the pool that hands it out and TypeORM that takes it there is no listener, and an error event without a
 * listener ends the process; the caller gets the error from the query itself. A connection that is silent for too long is
 * destroyed: the `query_timeout` of pg counts from the call, also while earlier statements run, and leaves a silent
 * connection in the pool.
 */
export class DatabaseClient extends pg.Client {
  private readonly limitMs: number;
  private readonly statementNames: StatementNames;
  private readonly preparesStatements: boolean;
  private longerMs: number | undefined;
  /** What had been written when the last answer came. */
  private bytesAnswered = 0;
  /** What made the transaction fail. */
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

  /** The error tells that it is the database's: a file or another server may fail with the same code. */
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

  /** Prepares a text that comes with values, as TypeORM calls it; other forms are left to pg. */
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

  /** Until the transaction ends, an answer may take that long. */
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
   * Statements that travel together all fail after the first that does (25P02, 26000), and the caller may hear of a
   * later one first: each tells the first error of its transaction.
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
      // What came while this process was busy is read first.
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
 * What each session of the pool works under. It is set by a statement and not at the start of the session, where a
 * connection pooler refuses or ignores what it does not know.
 */
export const SESSION_SETTINGS = {
  /** A statement that takes longer is an error of the service; a writer that waits longer for a lock fails, and is retried. */
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  /**
   * Plans of prepared statements are made once, without looking at values: the statements are written so that there
   * is one way to run them (docs/decisions/0045). They are short, and compiling them takes longer than they do.
   */
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
} as const;

/** What sessions have instead where Citus is: it finds the servers of some statements by their values alone. */
export const DISTRIBUTED_SETTINGS = { plan_cache_mode: 'auto' } as const;

/** Whether Citus is there: the table of its catalog. */
export const HAS_CITUS = `to_regclass('pg_dist_partition') IS NOT NULL`;

/** The values of the settings, by their names, as SQL. */
export const SETTING_VALUES: readonly (readonly [name: string, value: string])[] = Object.entries(
  SESSION_SETTINGS,
).map(([name, value]) => [
  name,
  name === 'plan_cache_mode'
    ? `CASE WHEN ${HAS_CITUS} THEN '${DISTRIBUTED_SETTINGS.plan_cache_mode}' ELSE '${value}' END`
    : `'${value}'`,
]);

/** What a role may have by default (docs/decisions/0081) holds neither for migrations nor for backups. */
const UNLIMITED = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  plan_cache_mode: 'auto',
} as const;

/** With these the server gives up a session whose client has vanished, and its locks; Unix sockets do not need them. */
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

const setting = (settings: readonly (readonly [name: string, value: string])[]): string =>
  `SELECT ${settings
    .map(([name, value]) => `set_config('${name}', ${value}, false)`)
    .join(', ')}, pg_is_in_recovery() AS is_standby`;

const quoted = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).map(([name, value]) => [name, `'${value}'`] as const);

const SET_UP = setting([...SETTING_VALUES, ...quoted(TCP_SETTINGS)]);
const LIFT = setting(quoted(UNLIMITED));

/**
 * Gives a new session its settings. Throws NoConnectionError: what fails is the connection, and no statement of a
 * caller. So it does on a standby, which takes no writes and may be behind what clients have been told
 * (docs/decisions/0084).
 */
export async function setUpSession(session: pg.ClientBase): Promise<void> {
  if ((await given(session, SET_UP)).isStandby) {
    throw new NoConnectionError(new StandbyError());
  }
}

/** Lets a new session work for as long as it takes. Throws NoConnectionError, as setUpSession. */
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
