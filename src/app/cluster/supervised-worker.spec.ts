import cluster, { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';

import { SupervisedWorker, type WorkerEnd } from './supervised-worker.js';

let ends: WorkerEnd[];
let worker: SupervisedWorker;

beforeEach(() => {
  jest.useFakeTimers();
  ends = [];
  worker = new SupervisedWorker('web 1', jest.fn(), {
    received: () => undefined,
    ended: (_, end) => ends.push(end),
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const failed = (reason: string, restartsInMs: number, endsInARow = 1): WorkerEnd => ({
  reason,
  isFailedStart: true,
  endsInARow,
  restartsInMs,
});

describe('a process that cannot be made', () => {
  it('for want of memory is tried again, after longer pauses', () => {
    const fork = jest.spyOn(cluster, 'fork').mockImplementation(() => {
      throw new Error('spawn ENOMEM');
    });

    worker.start();
    jest.advanceTimersByTime(250);

    expect(ends).toEqual([failed('spawn ENOMEM', 250), failed('spawn ENOMEM', 500, 2)]);
    expect(fork).toHaveBeenCalledTimes(2);
  });

  it('for want of file descriptors, and so has no channel, is tried again', () => {
    const made: Worker[] = [];
    jest.spyOn(cluster, 'fork').mockImplementation(() => {
      // If a process cannot be created, Node 20 returns a worker without a pid.
      // An error event follows, but no exit event.
      const unmade = new Worker();
      Reflect.set(unmade, 'process', { pid: undefined, send: undefined });
      made.push(unmade);
      return unmade;
    });

    worker.start();
    made[0]?.emit('error', new Error('spawn EMFILE'));

    expect(ends).toEqual([failed('spawn EMFILE', 250)]);
    expect(worker.send({ kind: 'stop' })).toBe(false);
  });
});

describe('a process that says nothing any more', () => {
  const MINUTE_MS = 60_000;
  let forked: Worker;
  let kill: jest.Mock;

  beforeEach(() => {
    forked = new Worker();
    kill = jest.fn(() => forked.emit('exit', null, 'SIGKILL'));
    const send = jest.fn(() => true);
    const child = Object.assign(new EventEmitter(), { pid: 1, connected: true, send, kill });
    Reflect.set(forked, 'process', child);
    jest.spyOn(cluster, 'fork').mockReturnValue(forked);
  });

  it('is killed, and started again', () => {
    worker.start();
    forked.emit('message', { kind: 'ready' });

    jest.advanceTimersByTime(3 * MINUTE_MS);

    expect(kill).toHaveBeenCalledWith('SIGKILL');
    expect(ends[0]).toEqual({
      reason: 'was silent for 120 s',
      isFailedStart: false,
      endsInARow: 0,
      restartsInMs: 250,
    });
  });

  it('before it was ready has not started', () => {
    worker.start();

    jest.advanceTimersByTime(3 * MINUTE_MS);

    expect(ends[0]).toEqual(failed('was silent for 120 s', 250));
  });

  it('but answers is left alone', () => {
    worker.start();

    for (let minute = 0; minute < 10; minute += 1) {
      jest.advanceTimersByTime(MINUTE_MS);
      forked.emit('message', { kind: 'pong' });
    }

    expect(kill).not.toHaveBeenCalled();
    expect(ends).toEqual([]);
  });
});
