import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { killTree } from './processes.js';

/** A directory with the embedded database of one test. */
export class Launcher {
  readonly directory = mkdtempSync(join(tmpdir(), 'satchel-launcher-'));
  readonly cluster = join(this.directory, 'pg18');
  readonly pidFile = join(this.cluster, 'postmaster.pid');
  private readonly started: EmbeddedPostgres[] = [];

  /** Creates a directory by a first start. Copies of it are faster than initdb. */
  static async afterFirstStart(): Promise<Launcher> {
    const launcher = new Launcher();
    await (await launcher.start()).stop();
    return launcher;
  }

  copy(): Launcher {
    const copy = new Launcher();
    execFileSync('cp', ['-a', this.cluster, copy.directory]);
    return copy;
  }

  async start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const { directory } = this;
    const server = await startEmbeddedPostgres({ directory, volatile: true, ...options });
    this.started.push(server);
    return server;
  }

  get isRunning(): boolean {
    return existsSync(this.pidFile);
  }

  killServer(): Promise<void> {
    return killTree(parseInt(readFileSync(this.pidFile, 'utf8')));
  }

  async close(): Promise<void> {
    for (const server of this.started) {
      await server.stop();
    }
    const sockets = this.started.map(({ connection }) => connection.host);
    for (const path of [this.directory, ...sockets]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Runs a query on the server and returns its rows. */
export async function rowsOf(
  { connection }: Pick<EmbeddedPostgres, 'connection'>,
  sql: string,
  database: string = connection.database,
): Promise<unknown[]> {
  const { host, port, username: user } = connection;
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
