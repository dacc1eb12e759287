import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isAlive, signal, until } from '../processes.js';
import { aFreePort } from '../service-process.js';
import { type Mend, mendOf, PAST } from './patroni-faults.js';
import { etcdWords, haproxyFile, type Node, patroniFile } from './patroni-files.js';
import {
  createDatabase,
  give,
  isOk,
  patronictl,
  serverOf,
  serverUser,
} from './patroni-packages.js';

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** One of two machines, simulated by its processes. */
interface Machine extends Node {
  patroni: ChildProcess | undefined;
}

/** Ports of etcd for Patroni and for etcd peers, and of HAProxy for the service. */
interface Ports {
  readonly etcd: string;
  readonly peer: string;
  readonly proxy: string;
}

/**
 * Two PostgreSQL servers under Patroni with etcd, in synchronous mode, all on loopback. HAProxy routes to the primary.
 */
export class PatroniCluster {
  /** How often standbys were repaired. */
  readonly mends = { restart: 0, reinit: 0 };
  private readonly helpers: ChildProcess[] = [];

  private constructor(
    private readonly directory: string,
    private readonly machines: readonly Machine[],
    private readonly ports: Ports,
  ) {}

  /** Starts the cluster. Resolves when the second server is a standby, by default a synchronous one. */
  static async start({ isSynchronous = true } = {}): Promise<PatroniCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'satchel-patroni-'));
    give(directory);
    const machines: Machine[] = [];
    for (const name of ['one', 'two']) {
      const [port, restPort] = [await aFreePort(), await aFreePort()];
      machines.push({ name, port, restPort, directory: join(directory, name), patroni: undefined });
    }
    const ports = { etcd: await aFreePort(), peer: await aFreePort(), proxy: await aFreePort() };
    const cluster = new PatroniCluster(directory, machines, ports);
    try {
      await cluster.begin(isSynchronous);
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** The database URL through HAProxy. */
  get url(): string {
    return `postgres://satchel@127.0.0.1:${this.ports.proxy}/satchel`;
  }

  /** Returns the database URL of one server, bypassing HAProxy. */
  urlOf(name: string): string {
    return `postgres://satchel@127.0.0.1:${this.machine(name).port}/satchel`;
  }

  /** Returns the machine of the running primary, or undefined if there is none. */
  async leader(): Promise<string | undefined> {
    return (await this.members()).find(
      ({ role, state }) => role === 'leader' && state === 'running',
    )?.name;
  }

  /**
   * Waits for a leader with a standby that may take over.
   * @throws Error with the logs of both machines if the wait times out
   */
  async untilWell(): Promise<void> {
    let members: readonly Member[] = [];
    const leads = ({ role, state }: Member): boolean => role === 'leader' && state === 'running';
    try {
      await until(async () => {
        members = await this.members();
        const leader = members.find(leads);
        for (const { name } of members.filter(({ role }) => role === 'replica')) {
          const mend = mendOf(this.log(name));
          await (mend === undefined || this.mend(name, mend));
        }
        return leader !== undefined && members.some(({ role }) => role === this.standbyRole);
      }, 'a leader and a standby');
    } catch (cause) {
      const logs = this.machines.map(({ name }) => `${name}:\n${this.log(name).slice(-6000)}`);
      const seen = [JSON.stringify(members), ...logs].join('\n');
      throw new Error(`there is no leader with a standby: ${seen}`, { cause });
    }
  }

  /** Repairs a standby, as an operator does. */
  async mend(name: string, command: Mend): Promise<void> {
    const isDone = await patronictl(this.machine(name).directory, command, name);
    this.mends[command] += isDone ? 1 : 0;
    appendFileSync(join(this.directory, `${name}.log`), PAST);
  }

  /** Kills the PostgreSQL server of a machine. Patroni keeps running. */
  killServer(name: string): Promise<void> {
    return this.signalServer(this.machine(name), 'SIGKILL');
  }

  /** Kills all processes of a machine at once, as a power cut does. */
  async killMachine(name: string): Promise<void> {
    const machine = this.machine(name);
    machine.patroni?.kill('SIGKILL');
    await this.signalServer(machine, 'SIGKILL');
  }

  /** Stops all processes of a machine. It answers nothing but keeps its connections open. */
  async freeze(name: string): Promise<void> {
    const machine = this.machine(name);
    machine.patroni?.kill('SIGSTOP');
    await this.signalServer(machine, 'SIGSTOP');
  }

  async thaw(name: string): Promise<void> {
    const machine = this.machine(name);
    await this.signalServer(machine, 'SIGCONT');
    machine.patroni?.kill('SIGCONT');
  }

  /** Switches to the other machine, as before maintenance. */
  async switchOver(name: string): Promise<void> {
    const { restPort } = this.machine(name);
    const response = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: name }),
    });
    if (!response.ok) {
      throw new Error(`the switchover was refused: ${await response.text()}`);
    }
  }

  /** Starts processes that were killed. No-op if all are running. */
  revive(): void {
    for (const machine of this.machines) {
      const { patroni } = machine;
      if (patroni === undefined || patroni.exitCode !== null || patroni.signalCode !== null) {
        machine.patroni = this.run(
          'patroni',
          [join(machine.directory, 'patroni.yml')],
          machine.name,
        );
      }
    }
  }

  /** Returns the log of a program, for error messages. */
  log(name: string): string {
    return readFileSync(join(this.directory, `${name}.log`), 'utf8');
  }

  async close(): Promise<void> {
    for (const { patroni } of this.machines) {
      patroni?.kill('SIGKILL');
    }
    for (const machine of this.machines) {
      await this.signalServer(machine, 'SIGKILL');
    }
    const children = [...this.helpers, ...this.machines.flatMap(({ patroni }) => patroni ?? [])];
    for (const child of children) {
      child.kill('SIGKILL');
      await (child.exitCode ?? child.signalCode ?? once(child, 'exit'));
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  private standbyRole = 'sync_standby';

  private async begin(isSynchronous: boolean): Promise<void> {
    this.standbyRole = isSynchronous ? 'sync_standby' : 'replica';
    const { etcd, peer, proxy } = this.ports;
    this.helpers.push(
      this.run('etcd', etcdWords(join(this.directory, 'etcd'), etcd, peer), 'etcd'),
    );
    await until(() => isOk(`http://127.0.0.1:${etcd}/health`), 'etcd');
    for (const machine of this.machines) {
      mkdirSync(machine.directory);
      give(machine.directory);
      const file = patroniFile(machine, etcd, isSynchronous);
      writeFileSync(join(machine.directory, 'patroni.yml'), file);
    }
    const file = join(this.directory, 'haproxy.cfg');
    writeFileSync(file, haproxyFile(this.machines, proxy));
    this.revive();
    this.helpers.push(this.run('haproxy', ['-db', '-f', file], 'haproxy'));
    await this.untilWell();
    await until(() => createDatabase(this.url), 'a database');
  }

  private run(program: string, words: readonly string[], name: string): ChildProcess {
    const log = openSync(join(this.directory, `${name}.log`), 'a');
    return spawn(program, words, {
      ...serverUser(),
      cwd: this.directory,
      stdio: ['ignore', log, log],
      env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin`, HOME: this.directory, LC_ALL: 'C.UTF-8' },
    });
  }

  private machine(name: string): Machine {
    const machine = this.machines.find((one) => one.name === name);
    if (machine === undefined) {
      throw new Error(`there is no machine ${name}`);
    }
    return machine;
  }

  /** Returns the members as reported by the first Patroni that answers. */
  private async members(): Promise<readonly Member[]> {
    for (const { restPort } of this.machines) {
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
          signal: AbortSignal.timeout(2000),
        });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // Try the next machine.
      }
    }
    return [];
  }

  private async signalServer({ directory }: Node, name: NodeJS.Signals): Promise<void> {
    const pids = serverOf(directory);
    for (const pid of pids) {
      signal(pid, name);
    }
    if (name === 'SIGKILL') {
      await until(() => !pids.some(isAlive), 'the end of the server');
    }
  }
}
