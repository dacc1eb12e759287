import { Database } from '../../src/platform/database/database.js';
import { Draining } from '../../src/platform/http/draining.js';
import { CallLeases } from '../../src/platform/throttling/call-leases.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PER_USER = 300;
/** One percent of the remaining calls. */
const LEASE = 3;

let app: TestApp;
/** Closed by the last test. */
let second: TestApp;
let reader: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: { perUser: PER_USER, perKey: 0 } } });
  second = await aTestApp({ beside: app });
});
afterAll(() => app.close());
beforeEach(async () => {
  reader = await ReadingListApi.of(app);
});

const taken = async (): Promise<unknown> =>
  (
    await app.database.query('SELECT taken FROM call_counters WHERE key = $1', [
      `user:${reader.user.id}`,
    ])
  )[0]?.['taken'];

const aCallWaits = async (): Promise<boolean> =>
  (await app.database.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0;

it('leases several calls of the counter at once, and leases more when they are used up', async () => {
  const counts: unknown[] = [];
  for (let n = 0; n < LEASE + 1; n += 1) {
    await reader.get().expect(200);
    counts.push(await taken());
  }

  expect(counts).toEqual([3, 3, 3, 5]);
});

it('releases unused calls to the counter, and reports the remaining calls in a response header', async () => {
  await reader.get().expect(200);

  await app.app.get(CallLeases).giveBack();

  expect(await taken()).toBe(1);
  const { headers } = await reader.get().expect(200);
  expect(headers['x-limit-user-remaining']).toBe(String(PER_USER - 2));
});

it('does not release unused calls to a counter whose window has changed', async () => {
  await reader.get().expect(200);
  await app.database.query(
    `UPDATE call_counters SET taken = 7, ends_at = ends_at + interval '1 s'`,
  );

  await app.app.get(CallLeases).giveBack();

  expect(await taken()).toBe(7);
});

it('allows exactly as many calls as the limit at two instances together', async () => {
  const there = reader.at(second);
  const asked: Promise<number>[] = [];
  for (let n = 0; n < PER_USER + 40; n += 1) {
    const call = async (): Promise<number> => (await (n % 3 === 0 ? there : reader).get()).status;
    asked.push(call());
    if (n % 20 === 19) {
      await Promise.all(asked);
    }
  }
  await app.app.get(CallLeases).giveBack();
  await second.app.get(CallLeases).giveBack();
  for (let n = 0; n < 10; n += 1) {
    asked.push(reader.get().then(({ status }) => status));
  }

  const statuses = await Promise.all(asked);

  expect(statuses.filter((status) => status === 200)).toHaveLength(PER_USER);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

it('releases unused calls when an instance stops, including a lease during the shutdown', async () => {
  const counted = await reader.get().expect(200);
  expect(counted.headers['x-limit-user-remaining']).toBe(String(PER_USER - 1));
  await app.app.get(CallLeases).giveBack();

  const stopping = await app.app.get(Database).transaction(async (manager) => {
    await manager.query('SELECT FROM call_counters FOR UPDATE');
    const calling = reader
      .at(second)
      .get()
      .then(({ status }) => status);
    await until(aCallWaits, 'a call that waits for its counter');
    const closing = second.close();
    await until(() => second.app.get(Draining).isDraining, 'the end of new connections');
    return { calling, closing };
  });

  expect(await stopping.calling).toBe(200);
  await stopping.closing;
  expect(await taken()).toBe(2);
});
