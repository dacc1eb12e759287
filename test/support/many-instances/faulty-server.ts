import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { getuid } from 'node:process';
import { createInterface, type Interface } from 'node:readline';

import pg from 'pg';

import { unprivilegedUser } from '../../../src/lib/embedded-postgres/server-user.js';
import { killTree, until } from '../processes.js';
import type { QueriedDatabase } from '../test-database.js';
import type { ClockState } from './clock-watch.js';
import { SteppedClock } from './stepped-clock.js';

const SCRIPT = join(import.meta.dirname, '..', 'faulty-server.mjs');
const SESSION = `
  SELECT pid FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
  ORDER BY state = 'idle', random() LIMIT 1`;

/** True where the test may mount small file systems. */
export const canMount = process.platform === 'linux' && mounts();

function mounts(): boolean {
  try {
    const check = 'mount -t tmpfs -o size=1m none /mnt';
    execFileSync('unshare', ['-m', 'sh', '-c', check], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type Folder = 'database' | 'pictures';

/** A PostgreSQL server of its own, whose clock and disk a test changes. */
export class FaultyServer {
  readonly clock: SteppedClock;
  /** For the processes of the service. */
  readonly serviceClock: SteppedClock;
  /** The folder for the pictures of the service. */
  readonly pictures: string;
  private readonly child: ChildProcess;
  private readonly lines: Interface;
  private readonly pool: pg.Pool;
  /** The process id of the postmaster, which starts all other processes of PostgreSQL. */
  private postmaster = 0;

  private constructor(private readonly directory: string) {
    this.clock = new SteppedClock(directory, 'database');
    this.serviceClock = new SteppedClock(directory, 'service');
    this.pictures = join(directory, 'pictures');
    const [program, ...words] = canMount
      ? ['unshare', '-m', process.execPath, SCRIPT, directory, 'mount']
      : [process.execPath, SCRIPT, directory];
    this.child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, SERVER_CLOCK: JSON.stringify(this.clock.variables) },
    });
    this.lines = createInterface({ input: this.child.stdout! });
    this.pool = new pg.Pool({ connectionString: this.url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  static async start(): Promise<FaultyServer> {
    const directory = mkdtempSync(join(tmpdir(), 'satchel-faulty-'));
    if (getuid?.() === 0) {
      const { uid, gid } = await unprivilegedUser();
      chownSync(directory, uid, gid);
    }
    chmodSync(directory, 0o755);
    const server = new FaultyServer(directory);
    await server.begun();
    return server;
  }

  /** The address of its database, which is empty at the start. */
  get url(): string {
    return `postgres://satchel@localhost:5432/satchel?host=${encodeURIComponent(this.directory)}`;
  }

  get database(): QueriedDatabase {
    return {
      query: async (sql, values = []) => (await this.pool.query(sql, values)).rows,
    };
  }

  /** The words before a program that sees the small file systems. */
  get within(): readonly string[] {
    return canMount ? ['nsenter', '-t', String(this.child.pid), '-m', '--wd=/'] : [];
  }

  /** Leaves only this space on the file system of a folder. */
  leave(folder: Folder, bytes: number): Promise<void> {
    return this.command(`leave ${folder} ${bytes}`);
  }

  /** Deletes the stored pictures, as an operator might. */
  deletePictures(): void {
    const images = join(this.pictures, 'images');
    const folder = canMount ? join('/proc', String(this.child.pid), 'root', images) : images;
    rmSync(folder, { recursive: true, force: true });
  }

  get clocks(): ClockState {
    const { clock, serviceClock } = this;
    return {
      sets: clock.sets + serviceClock.sets,
      areRight: clock.isRight && serviceClock.isRight,
    };
  }

  /** Ends the lack of space. Starts PostgreSQL again if it has ended because it could not write its WAL. */
  grow(folder: Folder): Promise<void> {
    return this.command(`grow ${folder}`);
  }

  /** Kills all processes of PostgreSQL at once. */
  kill(): Promise<void> {
    return killTree(this.postmaster);
  }

  /** Starts PostgreSQL with the data of the killed one. */
  startAgain(): Promise<void> {
    return this.command('start');
  }

  /**
   * Kills the process of one session, preferably of one that works. Resolves when PostgreSQL has ended all other sessions
   * and accepts new ones.
   */
  async killSession(): Promise<void> {
    const before = this.recoveries;
    const [session] = await this.database.query<{ pid: number }>(SESSION);
    process.kill(session!.pid, 'SIGKILL');
    await until(() => this.recoveries > before, 'the end of all sessions');
    const answers = (): Promise<boolean> =>
      this.database.query('SELECT 1').then(
        () => true,
        () => false,
      );
    await until(answers, 'a new session');
  }

  /** How often PostgreSQL has ended all sessions because a process of it was killed. */
  private get recoveries(): number {
    return this.log.split('all server processes terminated; reinitializing').length - 1;
  }

  /** The log of the server. */
  get log(): string {
    return readFileSync(join(this.directory, 'server.log'), 'utf8');
  }

  async close(): Promise<void> {
    await this.pool.end();
    const ended = this.child.exitCode === null ? once(this.child, 'exit') : undefined;
    this.child.stdin!.end();
    await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async begun(): Promise<void> {
    const { pid } = JSON.parse(await this.answered()) as { pid: number };
    this.postmaster = pid;
  }

  private answered(): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = (): void => {
        reject(new Error(`the server has ended: ${this.log.slice(-2000)}`));
      };
      this.lines.once('close', ended).once('line', (line) => {
        this.lines.off('close', ended);
        resolve(line);
      });
    });
  }

  private async command(words: string): Promise<void> {
    this.child.stdin!.write(`${words}\n`);
    await this.begun();
  }
}
