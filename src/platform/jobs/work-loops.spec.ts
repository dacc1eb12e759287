import { Logger } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { WorkLoops } from './work-loops.js';

const AN_HOUR_MS = 3_600_000;

describe('work in the background', () => {
  it('logs an error that lasts once, and again when it comes back', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const results = ['away', 'away', 'locked', 'locked', undefined, 'locked'];
    const loops = new WorkLoops('test', new Clock());
    const done = new Promise<void>((resolve) => {
      loops.start(
        () => {
          const message = results.shift();
          if (results.length === 0) {
            resolve();
            loops.stop();
          }
          return message === undefined ? Promise.resolve(true) : Promise.reject(new Error(message));
        },
        { everyMs: 0 },
      );
    });

    await done;
    await loops.ended();

    const errors = warn.mock.calls.map(([error]) => String(error));
    expect(errors).toEqual(['Error: away', 'Error: locked', 'Error: locked']);
  });

  it('looks again soon after there was some', async () => {
    const outcomes = [true, false, false, false];
    const loops = new WorkLoops('test', new Clock());
    const done = new Promise<void>((resolve) => {
      loops.start(
        () => {
          const hasWorked = outcomes.shift();
          if (hasWorked === undefined) {
            resolve();
            loops.stop();
          }
          return Promise.resolve(hasWorked ?? false);
        },
        { everyMs: AN_HOUR_MS, soonMs: 1 },
      );
    });

    await done;
    await loops.ended();

    expect(outcomes).toEqual([]);
  });

  it('is reported as down while one of its loops fails, even if another one succeeds', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const loops = new WorkLoops('test', new Clock());
    let succeeded = 0;
    const done = new Promise<void>((resolve) => {
      loops.start(() => Promise.reject(new Error('locked')), { everyMs: 0 });
      loops.start(
        () => {
          succeeded += 1;
          if (succeeded === 10) {
            resolve();
          }
          return Promise.resolve(false);
        },
        { everyMs: 0 },
      );
    });

    await done;
    const { status, last_success_at } = loops.report;
    loops.stop();
    await loops.ended();

    expect([status, last_success_at]).toEqual(['down', expect.any(String)]);
  });

  it('logs an error that continues again after an hour', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    warn.mockClear();
    const times = [0, 1, AN_HOUR_MS - 1, AN_HOUR_MS, AN_HOUR_MS + 1];
    const clock = new Clock();
    const now = jest.spyOn(clock, 'now');
    const loops = new WorkLoops('test', clock);
    const done = new Promise<void>((resolve) => {
      loops.start(
        () => {
          const time = times.shift();
          now.mockReturnValue(new Date(time ?? 0));
          if (times.length === 0) {
            loops.stop();
            resolve();
          }
          return Promise.reject(new Error('locked'));
        },
        { everyMs: 0 },
      );
    });

    await done;
    await loops.ended();

    expect(warn).toHaveBeenCalledTimes(2);
  });
});
