import { ServiceBusyError } from '../common/common.errors.js';
import { SharedWork } from './shared-work.js';

const LIMITS = { concurrency: 2, perUser: 1, waitingPerUser: 2 };

/** Work that ends when the test calls `end`. */
function endless(): { work: () => Promise<string>; end: () => void } {
  let end = (): void => undefined;
  const slow = new Promise<string>((resolve) => {
    end = () => {
      resolve('slow');
    };
  });
  return { work: () => slow, end };
}

const fast = (): Promise<string> => Promise.resolve('fast');

describe('shared work', () => {
  it('refuses only the user who has too many waiting tasks', async () => {
    const shared = new SharedWork<string>(LIMITS);
    const { work, end } = endless();
    const tasks = ['1', '2', '3'].map((key) => shared.run('a', key, work));

    expect(() => shared.run('a', '4', work)).toThrow(ServiceBusyError);
    expect(await shared.run('b', '5', fast)).toBe('fast');
    // The rejected task was not registered.
    expect(await shared.run('b', '4', fast)).toBe('fast');

    end();
    expect(await Promise.all(tasks)).toEqual(['slow', 'slow', 'slow']);
  });

  it('starts a task at the turn of any user who asked for it, once', async () => {
    const shared = new SharedWork<string>(LIMITS);
    const { work, end } = endless();
    const slow = shared.run('a', 'slow', work);
    const popular = jest.fn(fast);
    const asked = shared.run('a', 'popular', popular);

    expect(await shared.run('b', 'popular', popular)).toBe('fast');
    expect(await asked).toBe('fast');

    end();
    await slow;
    expect(await shared.run('a', 'later', fast)).toBe('fast');
    expect(popular).toHaveBeenCalledTimes(1);
  });

  it('shares a task that runs, and its failure', async () => {
    const shared = new SharedWork<string>(LIMITS);
    const failing = jest.fn(() => Promise.reject(new Error('no picture')));

    const asked = await Promise.allSettled(
      ['a', 'b'].map((userId) => shared.run(userId, 'key', failing)),
    );

    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await shared.run('a', 'key', fast)).toBe('fast');
  });
});
