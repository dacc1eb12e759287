import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { appendFile, chown, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import pg from 'pg';

import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { runMigrations } from '../../src/platform/database/migrator.js';
import { Replicas } from '../../src/platform/database/replicas.js';
import { killTree, until } from './processes.js';
import { aTestApp, type TestApp } from './test-app.js';

const CLUSTER = 'pg18';
/** What is acknowledged is sent, and what a replica that pauses has still to read is kept. */
const SETTINGS = { synchronous_commit: 'on', full_page_writes: 'on', wal_keep_size: '512MB' };
/** What belongs to the running server and not to the backup. */
const NOT_COPIED = /^(?:postmaster\.(?:pid|opts)|pg_wal|pg_replslot|pg_dynshmem|pg_stat_tmp)$/;
const EMPTY = ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot', 'pg_dynshmem'];

/** A server of the embedded PostgreSQL, which needs no other program than Node. */
class OwnServer {
  protected constructor(
    readonly root: string,
    private running: EmbeddedPostgres,
  ) {}

  get url(): string {
    const { host, port, username, database } = this.running.connection;
    return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  }

  get cluster(): string {
    return join(this.running.directory, CLUSTER);
  }

  /** Rows as any other program would see them. */
  async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** At once, as a power cut does. */
  async kill(): Promise<void> {
    await killTree(
      Number(readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]),
    );
  }

  async start(): Promise<void> {
    await this.running.stop().catch(() => undefined);
    this.running = await started(this.root);
  }

  async close(): Promise<void> {
    await this.running.stop().catch(() => undefined);
    await this.kill().catch(() => undefined);
    rmSync(this.root, { recursive: true, force: true });
  }
}

const started = (directory: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ directory, volatile: true, settings: SETTINGS });

const aDirectory = (): string => mkdtempSync(join(tmpdir(), 'satchel-replicas-'));

/** A server that takes writes. */
export class PrimaryServer extends OwnServer {
  static async start(): Promise<PrimaryServer> {
    const root = aDirectory();
    return new PrimaryServer(root, await started(root));
  }

  /** A copy of its files, made while it runs, that follows it from then on. */
  async replica(): Promise<ReplicaServer> {
    const root = aDirectory();
    const copy = join(root, CLUSTER);
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      await client.query(`SELECT pg_backup_start('replica', true)`);
      await cp(this.cluster, copy, {
        recursive: true,
        filter: (file) => !NOT_COPIED.test(basename(file)),
      });
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    for (const name of EMPTY) {
      await mkdir(join(copy, name), { recursive: true, mode: 0o700 });
    }
    const { host, port, username } = new URLParts(this.url);
    await writeFile(join(copy, 'standby.signal'), '');
    await appendFile(
      join(copy, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${host} port=${port} user=${username}'\n`,
    );
    await giveTo(root, await stat(this.cluster));
    return ReplicaServer.on(root);
  }

  /** Ends when the replica has replayed all that is committed now. */
  async awaitReplayBy(replica: ReplicaServer): Promise<void> {
    const [written] = await this.query<{ place: string }>(
      'SELECT pg_current_wal_flush_lsn()::text AS place',
    );
    await until(async () => {
      const [replayed] = await replica.query<{ isThere: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isThere"',
        [written?.place],
      );
      return replayed?.isThere === true;
    }, 'the replay');
  }
}

/** A server that follows another. */
export class ReplicaServer extends OwnServer {
  static async on(root: string): Promise<ReplicaServer> {
    return new ReplicaServer(root, await started(root));
  }

  async pause(): Promise<void> {
    await this.query('SELECT pg_wal_replay_pause()');
    await until(
      async () =>
        (await this.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]
          ?.state === 'paused',
      'the pause',
    );
  }

  async resume(): Promise<void> {
    await this.query('SELECT pg_wal_replay_resume()');
  }

  /** It follows no server any more, and takes writes of its own. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }
}

class URLParts {
  readonly host: string;
  readonly port: string;
  readonly username: string;

  constructor(url: string) {
    const { port, username, searchParams } = new URL(url);
    this.host = searchParams.get('host') ?? '';
    this.port = port;
    this.username = username;
  }
}

/** A primary server with the tables of the service, and a replica of it. */
export class ReplicatedServers {
  private constructor(
    readonly primary: PrimaryServer,
    readonly replica: ReplicaServer,
  ) {}

  static async start(): Promise<ReplicatedServers> {
    const primary = await PrimaryServer.start();
    await runMigrations({ url: primary.url });
    return new ReplicatedServers(primary, await primary.replica());
  }

  /** A service on both. */
  app(config: { answerCacheMegabytes?: number } = {}): Promise<TestApp> {
    const { primary, replica } = this;
    return aTestApp({
      through: () => ({ url: primary.url }),
      config: { databaseReplicaUrls: [replica.url], ...config },
    });
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.primary.close();
  }
}

/** What became of the reads that a service with one replica has tried on it. */
export const readsOfReplica = (app: TestApp) =>
  [...app.app.get(Replicas).reads.values()][0] ?? { served: 0, behind: 0, failed: 0 };

/** Root's servers run as another user. */
async function giveTo(root: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if (process.getuid?.() === 0) {
    const entries = await readdir(root, { recursive: true });
    for (const name of ['', ...entries]) {
      await chown(join(root, name), uid, gid);
    }
  }
}
