import cluster, { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { type Config, configFrom } from '../../platform/config/config.js';
import type { DatabaseServer } from '../../platform/database/database-server.js';
import { WorkerGroup } from './primary.js';

const CONFIG: Config = {
  ...configFrom({
    JWT_SECRET: 'a secret of at least 32 bytes: 1',
    SESSION_SECRET: 'a secret of at least 32 bytes: 2',
    SATCHEL_WORKERS: '2',
    LOG_LEVEL: 'silent',
    PORT: '0',
  }),
  fileSecrets: { JWT_SECRET: 'as it was in the file at the start' },
};

interface SentMessage {
  readonly kind: string;
  readonly name?: string;
  readonly fileSecrets?: unknown;
}

/** Nothing listens at this address. */
const connection = { url: 'postgres://127.0.0.1:1/satchel' };
const AWAY: DatabaseServer = {
  connection,
  direct: connection,
  isEmbedded: false,
  close: () => Promise.resolve(),
};

const LONGEST_PAUSE_MS = 30_000;
const MINUTE_MS = 60_000;

describe('a schema that is up to date', () => {
  it('is told once, also when the database takes no connection to be asked for its limit', async () => {
    const workers = new WorkerGroup(CONFIG, AWAY, () => undefined);

    // If `migrated()` failed, the start of the service would repeat it.
    await expect(workers.migrated()).resolves.toBeUndefined();
  });
});

describe('workers that end', () => {
  /** The latest process of each worker. The key is the name of the worker. */
  let processes: Map<string, Worker>;
  let fileSecrets: unknown[];
  let forks: number;
  let failures: string[];
  let log: { level: 'warn' | 'error'; worker: string }[];

  /** Creates a fake process. The process receives its name at once and answers pings. */
  function fork(): Worker {
    const forked = new Worker();
    const send = jest.fn(({ kind, name, ...facts }: SentMessage) => {
      if (name !== undefined) {
        processes.set(name, forked);
        fileSecrets.push(facts.fileSecrets);
      }
      if (kind === 'ping') {
        process.nextTick(() => forked.emit('message', { kind: 'pong' }));
      }
      return true;
    });
    Reflect.set(
      forked,
      'process',
      Object.assign(new EventEmitter(), { pid: 1, connected: true, send }),
    );
    forks += 1;
    process.nextTick(() => forked.emit('message', { kind: 'hello' }));
    return forked;
  }

  const becomesReady = (name: string): unknown =>
    processes.get(name)?.emit('message', { kind: 'ready' });

  /** Ends the process of a worker, and waits until the next process has started. */
  async function ends(name: string): Promise<void> {
    processes.get(name)?.emit('exit', 1, null);
    await jest.advanceTimersByTimeAsync(LONGEST_PAUSE_MS);
  }

  async function failsToStart(name: string, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await ends(name);
    }
  }

  const note =
    (level: 'warn' | 'error') =>
    ({ worker }: { worker: string }): void => {
      log.push({ level, worker });
    };

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    jest.spyOn(cluster, 'fork').mockImplementation(fork);
    // The real `setupPrimary` would keep the process of the tests running.
    jest.spyOn(cluster, 'setupPrimary').mockImplementation(() => undefined);
    [processes, fileSecrets, forks, failures, log] = [new Map(), [], 0, [], []];
    const workers = new WorkerGroup(CONFIG, AWAY, ({ message }) => failures.push(message));
    Logger.overrideLogger({ log: () => undefined, warn: note('warn'), error: note('error') });
    const started = workers.start();
    while (processes.size < 3) {
      await turn();
    }
    [...processes.keys()].forEach(becomesReady);
    await started;
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('get the secrets that the first process has read, also when they are started again', async () => {
    await ends('web 1');

    expect(fileSecrets).toEqual(Array(4).fill(CONFIG.fileSecrets));
  });

  it('are started again where one of the web workers served until then, however often the other has failed', async () => {
    await failsToStart('web 2', 11);
    const before = forks;

    await ends('web 1');

    expect(failures).toEqual([]);
    expect(forks).toBe(before + 1);
  });

  it('end the service when all web workers have failed again and again while none served', async () => {
    await ends('web 1');
    await failsToStart('web 2', 10);
    const before = [...failures];

    await failsToStart('web 1', 1);

    expect(before).toEqual([]);
    expect(failures).toEqual(['no worker starts any more: ended with status 1']);
  });

  it('are counted anew when a web worker has served meanwhile', async () => {
    await ends('web 1');
    await failsToStart('web 2', 9);
    becomesReady('web 1');
    await failsToStart('web 2', 5);

    await ends('web 1');
    await failsToStart('web 1', 9);

    expect(failures).toEqual([]);
  });

  it('leave the service to the web workers where the background fails, and are errors from the fifth on', async () => {
    await failsToStart('background', 12);

    expect(failures).toEqual([]);
    expect(log.map(({ level }) => level)).toEqual([
      ...Array<string>(4).fill('warn'),
      ...Array<string>(8).fill('error'),
    ]);
    expect(new Set(log.map(({ worker }) => worker))).toEqual(new Set(['background']));
  });

  it('soon after they were ready are errors too', async () => {
    for (let time = 0; time < 5; time += 1) {
      becomesReady('background');
      await ends('background');
    }

    expect(log.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn', 'warn', 'error']);
  });

  it('after they have lived for a while are warned of, as the first was', async () => {
    await failsToStart('background', 5);
    becomesReady('background');
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS - LONGEST_PAUSE_MS);
    await ends('background');

    expect(log.at(-1)).toEqual({ level: 'warn', worker: 'background' });
  });
});
