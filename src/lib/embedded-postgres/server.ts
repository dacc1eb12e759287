import { constants, open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import type { Binaries } from './binaries.js';
import {
  connectionTo,
  dropForeignPidFile,
  type EmbeddedConnection,
  MAINTENANCE_DATABASE,
} from './connection.js';
import type { Home } from './home.js';
import { runAs } from './server-user.js';
import { Session } from './session.js';

const LOG_LINES = 6;
/**
 * The number of lines at the end of the log that are searched for the reason why the database
 * server ended. The log may show a long SQL statement after the reason.
 */
const FATAL_LINES = 200;

/**
 * The database server of one cluster, controlled by the program pg_ctl. The server is not a child process of Node, so
 * Ctrl-C in a terminal does not stop it.
 */
export class Server {
  constructor(
    readonly home: Home,
    private readonly binaries: Binaries,
  ) {}

  async isRunning(): Promise<boolean> {
    await dropForeignPidFile(this.home.cluster);
    return this.control('status').then(
      () => true,
      () => false,
    );
  }

  /**
   * Starts the database server. Resolves when the server accepts connections, which may take longer
   * after a crash.
   */
  async start(options: string): Promise<void> {
    await this.giveLog();
    await this.control('start', '-w', '-t', '60', '-l', this.home.log, '-o', options);
  }

  /** Stops the database server and ends open connections. Resolves when all data is written to the disk. */
  async stop(): Promise<void> {
    try {
      await this.control('stop', '-w', '-t', '60', '-m', 'fast');
    } catch (cause) {
      if (await this.isRunning()) {
        const { cluster, log } = this.home;
        throw new Error(`the server of ${cluster} does not stop: see ${log}`, { cause });
      }
    }
  }

  /** Returns the last lines of the server's log. */
  async lastWords(): Promise<string> {
    const log = await readFile(this.home.log, 'utf8').catch(() => '');
    return log.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
  }

  /**
   * Returns the last fatal message in the log of the database server, without its time and process id. Returns an empty
   * text if the log has no fatal message.
   */
  async fatalReason(): Promise<string> {
    const log = await readFile(this.home.log, 'utf8').catch(() => '');
    const lines = log.split('\n').slice(-FATAL_LINES);
    const fatal = /(?:PANIC|FATAL): .*/;
    return lines.map((line) => fatal.exec(line)?.[0] ?? '').findLast((text) => text !== '') ?? '';
  }

  private async control(action: string, ...parameters: string[]): Promise<void> {
    const { cluster, user } = this.home;
    await runAs(user, this.binaries.pg_ctl, [action, '-s', '-D', cluster, ...parameters]);
  }

  /**
   * Creates the log file and changes its owner to the user that runs the server, because this user
   * has no write permission for the directory.
   */
  private async giveLog(): Promise<void> {
    const { log, user } = this.home;
    if (user.uid !== undefined && user.gid !== undefined) {
      const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY;
      const file = await open(log, flags | constants.O_NOFOLLOW, 0o600);
      await file.chown(user.uid, user.gid).finally(() => file.close());
    }
  }
}

const PAUSE_MS = 400;
/**
 * Matches log messages about processes that remain after the database server was killed. After such
 * a message, the start is retried for four seconds.
 */
const REMAINS = /pre-existing shared memory block|lock file ".*" already exists/;
const ATTEMPTS_TO_START = 10;
/**
 * The number of attempts to connect to the database server. They take one minute in total, because
 * the server may still be starting, recovering or stopping.
 */
const ATTEMPTS_TO_REACH = 150;

/**
 * Starts the database server if it is not running, and connects to it once to check it.
 * @throws Error if the server does not start or cannot be reached
 */
export async function runningServer(
  server: Server,
  options: () => Promise<string>,
): Promise<EmbeddedConnection> {
  for (let attempt = 1; ; attempt += 1) {
    if (!(await server.isRunning())) {
      await start(server, await options());
    }
    try {
      return await reached(server);
    } catch (cause) {
      if (attempt === ATTEMPTS_TO_REACH) {
        throw await failure(server, 'cannot be reached: end it where it was started', cause);
      }
    }
    await pause(PAUSE_MS);
  }
}

async function start(server: Server, options: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await server.start(options);
      return;
    } catch (cause) {
      // After a crash, the recovery may take longer than the timeout of pg_ctl. The server is then
      // running.
      if (await server.isRunning()) {
        return;
      }
      if (attempt === ATTEMPTS_TO_START || !REMAINS.test(await server.lastWords())) {
        throw await failure(server, 'did not start: mend what its log says', cause);
      }
    }
    await pause(PAUSE_MS);
  }
}

async function reached(server: Server): Promise<EmbeddedConnection> {
  const connection = await connectionTo(server.home.cluster);
  await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, (session) =>
    session.ask('SELECT 1'),
  );
  return connection;
}

async function failure(server: Server, problem: string, cause: unknown): Promise<Error> {
  const { cluster, log } = server.home;
  return new Error(
    `the PostgreSQL server of ${cluster} ${problem}, or set DATABASE_URL to another server;` +
      ` ${log} ends with\n${await server.lastWords()}`,
    { cause },
  );
}
