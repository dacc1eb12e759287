import { Logger } from '@nestjs/common';

import { WorkLoops } from './work-loops.js';

describe('work in the background', () => {
  it('logs a fault that lasts once, and again when it comes back', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const results = ['away', 'away', 'locked', 'locked', undefined, 'locked'];
    const loops = new WorkLoops('test');
    const done = new Promise<void>((resolve) => {
      loops.start(() => {
        const fault = results.shift();
        if (results.length === 0) {
          resolve();
          loops.stop();
        }
        return fault === undefined ? Promise.resolve(true) : Promise.reject(new Error(fault));
      }, 0);
    });

    await done;
    await loops.ended();

    const faults = warn.mock.calls.map(([error]) => String(error));
    expect(faults).toEqual(['Error: away', 'Error: locked', 'Error: locked']);
  });
});
