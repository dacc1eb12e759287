import { findLong } from './check-locks.js';
import type { LockingSession } from './locks.sql.js';

/** A session of another role, whose age an ordinary role may not see. */
const session = (changes: Partial<LockingSession>): LockingSession => ({
  pid: 1,
  transaction: '3/7',
  application: 'reports',
  role: 'ada',
  state: null,
  seconds: null,
  waiting: 0,
  tables: ['lists'],
  isLong: null,
  ...changes,
});

/** Returns the sessions that are found by two looks. */
const found = (first: LockingSession[], second: LockingSession[]): Promise<LockingSession[]> => {
  const looks = [first, second];
  return findLong(
    () => Promise.resolve(looks.shift() ?? []),
    () => Promise.resolve(),
  );
};

it('finds a session of unknown age that is there at both looks', async () => {
  expect(await found([session({})], [session({})])).toEqual([session({})]);
});

it.each([
  ['has ended', []],
  ['is of another session', [session({ pid: 2 })]],
  ['is another one of the same session', [session({ transaction: '3/8' })]],
])('finds no short transaction of unknown age: at the second look, it %s', async (_, second) => {
  expect(await found([session({})], second)).toEqual([]);
});

it('finds a session that was young at the first look, and is old at the second', async () => {
  const old = session({ isLong: true });

  expect(await found([session({ isLong: false })], [old])).toEqual([old]);
  expect(await found([session({ isLong: false })], [session({ isLong: false })])).toEqual([]);
});
