import { UserTurns } from './user-turns.js';

/** Work that ends when it is told to. */
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

describe('the turns of users', () => {
  it('let one who comes late wait for one piece of each of the others', async () => {
    const turns = new UserTurns(1);
    const { begun, piece, end } = pieces();
    const work = [1, 2, 3, 4].map((n) => turns.run('a', piece(`a${n}`)));
    await settled();
    work.push(turns.run('b', piece('b1')), turns.run('b', piece('b2')));
    expect(turns.pendingCount).toBe(5);

    for (let ended = 0; ended < work.length; ended += 1) {
      await settled();
      end();
    }

    await Promise.all(work);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
    expect(turns.pendingCount).toBe(0);
  });

  it('do as much at once as they may', async () => {
    const turns = new UserTurns(2);
    const { begun, piece, end } = pieces();
    const work = ['a', 'b', 'c'].map((user) => turns.run(user, piece(user)));
    await settled();
    expect(begun).toEqual(['a', 'b']);

    for (let ended = 0; ended < work.length; ended += 1) {
      end();
      await settled();
    }

    await Promise.all(work);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('go on after work that fails', async () => {
    const turns = new UserTurns(1);
    const failing = turns.run('a', () => Promise.reject(new Error('x')));

    await expect(failing).rejects.toThrow('x');
    expect(await turns.run('a', () => Promise.resolve(1))).toBe(1);
  });
});
