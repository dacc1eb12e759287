import { FairQueue } from './fair-queue.js';

/** Creates tasks that run until the test calls `end`. */
function pieces(): { begun: string[]; piece: (name: string) => () => Promise<void>; end(): void } {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    piece: (name) => () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    },
    end: () => ends.shift()?.(),
  };
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('the fair queue', () => {
  it('lets a late user wait for one task of each other user', async () => {
    const queue = new FairQueue({ concurrency: 1 });
    const { begun, piece, end } = pieces();
    const work = [1, 2, 3, 4].map((n) => queue.run('a', piece(`a${n}`)));
    await settled();
    work.push(queue.run('b', piece('b1')), queue.run('b', piece('b2')));
    expect(queue.pendingCount).toBe(5);

    for (let ended = 0; ended < work.length; ended += 1) {
      await settled();
      end();
    }

    await Promise.all(work);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
    expect(queue.pendingCount).toBe(0);
  });

  it('runs as many tasks at once as it may', async () => {
    const queue = new FairQueue({ concurrency: 2 });
    const { begun, piece, end } = pieces();
    const work = ['a', 'b', 'c'].map((user) => queue.run(user, piece(user)));
    await settled();
    expect(begun).toEqual(['a', 'b']);

    for (let ended = 0; ended < work.length; ended += 1) {
      end();
      await settled();
    }

    await Promise.all(work);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('runs only so many tasks of one user at once, also when other slots are free', async () => {
    const queue = new FairQueue({ concurrency: 3, perUser: 2 });
    const { begun, piece, end } = pieces();
    const work = [1, 2, 3].map((n) => queue.run('a', piece(`a${n}`)));
    await settled();
    expect([begun, queue.pendingCountOf('a')]).toEqual([['a1', 'a2'], 1]);

    work.push(queue.run('b', piece('b1')));
    await settled();
    expect([begun, queue.pendingCountOf('b')]).toEqual([['a1', 'a2', 'b1'], 0]);

    for (let ended = 0; ended < work.length; ended += 1) {
      end();
      await settled();
    }
    await Promise.all(work);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('goes on after a task that fails', async () => {
    const queue = new FairQueue({ concurrency: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('x')));

    await expect(failing).rejects.toThrow('x');
    expect(await queue.run('a', () => Promise.resolve(1))).toBe(1);
  });
});
