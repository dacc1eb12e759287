import { Logger } from '@nestjs/common';

import { WorkLoops } from './work-loops.js';

const AN_HOUR_MS = 3_600_000;

describe('work in the background', () => {
  it('logs an error that lasts once, and again when it comes back', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const results = ['away', 'away', 'locked', 'locked', undefined, 'locked'];
    const loops = new WorkLoops('test');
    const done = new Promise<void>((resolve) => {
      loops.start(() => {
        const message = results.shift();
        if (results.length === 0) {
          resolve();
          loops.stop();
        }
        return message === undefined ? Promise.resolve(true) : Promise.reject(new Error(message));
      }, 0);
    });

    await done;
    await loops.ended();

    const errors = warn.mock.calls.map(([error]) => String(error));
    expect(errors).toEqual(['Error: away', 'Error: locked', 'Error: locked']);
  });

  it('looks again soon after there was some', async () => {
    const outcomes = [true, false, false, false];
    const loops = new WorkLoops('test');
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
        AN_HOUR_MS,
        1,
      );
    });

    await done;
    await loops.ended();

    expect(outcomes).toEqual([]);
  });
});
