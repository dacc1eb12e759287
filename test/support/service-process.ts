import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import {
  type Finished,
  finished,
  isAlive,
  killTree,
  until,
  type Variables,
  Workplace,
} from './processes.js';

const LISTENS = /^Satchel listens on (\S+)\n/;

/** A running service in its own process. */
export class ServiceProcess {
  readonly ended: Promise<Finished>;
  stdout = '';
  stderr = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.ended = finished(child);
  }

  get url(): string {
    return LISTENS.exec(this.stdout)?.[1] ?? '';
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async listening(): Promise<this> {
    await until(() => this.url !== '' || this.child.exitCode !== null, 'listening');
    if (this.url === '') {
      throw new Error(`the service has ended: ${this.stderr}`);
    }
    return this;
  }
}

/** A folder with an installation of the service on the embedded database. */
export class Installation extends Workplace {
  private readonly services: ServiceProcess[] = [];

  /** Starts the service, by default as the user who runs the tests. */
  start(variables: Variables = {}, user: { uid?: number; gid?: number } = {}): ServiceProcess {
    const child = this.spawn(
      'dist/src/main.js',
      [],
      {
        PORT: '0',
        BCRYPT_COST: '10',
        // On a busy machine, a first start takes longer than the default shutdown timeout.
        SHUTDOWN_TIMEOUT: '60',
        // Tests do not access the internet.
        RESOLVER_CONCURRENCY: '0',
        ...variables,
      },
      user,
    );
    const service = new ServiceProcess(child);
    this.services.push(service);
    return service;
  }

  started(variables: Variables = {}): Promise<ServiceProcess> {
    return this.start(variables).listening();
  }

  /** Copies the data of a stopped service to a new installation. */
  copy(): Installation {
    const copy = new Installation();
    execFileSync('cp', ['-a', this.dataDirectory, copy.dataDirectory]);
    return copy;
  }

  /** Logs of all its services. */
  get log(): string {
    return this.services.map(({ stderr }) => stderr).join('');
  }

  get hasServerFiles(): boolean {
    return existsSync(join(this.dataDirectory, 'postgres'));
  }

  /** Process id of the server. Undefined if there is no PID file, or the server was killed. */
  get serverId(): number | undefined {
    const file = join(this.dataDirectory, 'postgres', 'pg18', 'postmaster.pid');
    try {
      return Number(readFileSync(file, 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  }

  /** Kills the server and all its processes at once, as a power cut does. */
  async killServer(): Promise<void> {
    const { serverId } = this;
    if (serverId !== undefined && isAlive(serverId)) {
      await killTree(serverId);
    }
  }

  /** The server's socket directory, which is outside of the folder. PostgreSQL records its name in postmaster.opts. */
  private get socketDirectory(): string | undefined {
    const file = join(this.dataDirectory, 'postgres', 'pg18', 'postmaster.opts');
    const options = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return /unix_socket_directories="+([^"]*\/satchel-[0-9a-f]+)"/.exec(options)?.[1];
  }

  /** Kills running services and removes the folder. */
  async close(): Promise<void> {
    this.services.forEach((service) => {
      service.kill('SIGKILL');
    });
    await Promise.all(this.services.map(({ ended }) => ended));
    await this.killServer();
    rmSync(this.socketDirectory ?? this.directory, { recursive: true, force: true });
    this.remove();
  }
}

/** Below the ephemeral ports, so that no other program takes one between check and start, or between two starts. */
const KEPT_PORTS = { first: 20_000, last: 32_000 };

/** Returns a free port, for a service that must know its port before it starts. */
export async function aFreePort(): Promise<string> {
  for (;;) {
    const port = randomInt(KEPT_PORTS.first, KEPT_PORTS.last);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => {
        resolve(false);
      });
      server.listen(port, '127.0.0.1', () => {
        resolve(true);
      });
    });
    if (isFree) {
      server.close();
      await once(server, 'close');
      return String(port);
    }
  }
}

/** Occupies a port. */
export async function aTakenPort(): Promise<{ port: string; free: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  return { port, free: () => server.close() };
}
