import { DataSource } from 'typeorm';

import { CallCounterRepository } from '../../src/platform/throttling/call-counter.repository.js';
import { ThrottleCounter } from '../../src/platform/throttling/entities/throttle-counter.entity.js';
import { ThrottleStorage } from '../../src/platform/throttling/throttle-storage.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const WINDOW_MS = 60_000;
const LIMIT = 10;

let database: TestDatabase;
let instances: DataSource[];
let counters: ThrottleStorage;
/** Another instance of the service on the same database. */
let elsewhere: ThrottleStorage;
let keys = 0;

const aKey = (): string => `key-${(keys += 1)}`;
const hit = (key: string, { store = counters, limit = LIMIT } = {}) =>
  store.increment(key, WINDOW_MS, limit);
const rows = (key: string) =>
  database.query<{ hits: number }>('SELECT hits FROM throttle_counters WHERE key = $1', [key]);
const endWindow = (key: string) =>
  database.query(`UPDATE throttle_counters SET expires_at = now() WHERE key = $1`, [key]);

beforeAll(async () => {
  database = await aDatabase();
  const open = () => new DataSource(dataSourceOptions(database.connection, 5)).initialize();
  instances = await Promise.all([open(), open()]);
  [counters, elsewhere] = instances.map(
    ({ manager }) =>
      new ThrottleStorage(
        manager.getRepository(ThrottleCounter),
        CallCounterRepository.in(manager),
      ),
  ) as [ThrottleStorage, ThrottleStorage];
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.destroy()));
  await database.drop();
});

describe('ThrottleStorage.increment', () => {
  it('counts from one', async () => {
    const key = aKey();

    const hits = [await hit(key), await hit(key), await hit(key)];

    expect(hits.map(({ totalHits }) => totalHits)).toEqual([1, 2, 3]);
  });

  it('counts each key separately', async () => {
    await hit(aKey());

    expect(await hit(aKey())).toMatchObject({ totalHits: 1 });
  });

  it('counts 50 concurrent hits on two instances', async () => {
    const key = aKey();

    const hits = await Promise.all(
      Array.from({ length: 50 }, (_, at) => hit(key, { store: at % 2 ? counters : elsewhere })),
    );

    const totals = hits.map(({ totalHits }) => totalHits).toSorted((one, other) => one - other);
    expect(totals).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(await rows(key)).toEqual([{ hits: 50 }]);
  });

  it('accepts exactly as many concurrent hits as the limit allows', async () => {
    const key = aKey();

    const hits = await Promise.all(Array.from({ length: 50 }, () => hit(key)));

    expect(hits.filter(({ isBlocked }) => !isBlocked)).toHaveLength(LIMIT);
  });

  it('returns the seconds until the end of the window', async () => {
    const key = aKey();

    const { timeToExpire, timeToBlockExpire } = await hit(key);

    expect(timeToExpire).toBe(60);
    expect(timeToBlockExpire).toBe(60);
  });

  it('returns at least one second until the end of the window', async () => {
    const { timeToExpire } = await counters.increment(aKey(), 1, LIMIT);

    expect(timeToExpire).toBe(1);
  });

  it('does not extend the window for later hits', async () => {
    const key = aKey();
    await hit(key);
    await database.query(
      `UPDATE throttle_counters SET expires_at = now() + interval '5 seconds' WHERE key = $1`,
      [key],
    );

    const { timeToExpire, totalHits } = await hit(key);

    expect(totalHits).toBe(2);
    expect(timeToExpire).toBeLessThanOrEqual(5);
  });

  it('starts a new window when the window has ended', async () => {
    const key = aKey();
    await Promise.all(Array.from({ length: LIMIT + 1 }, () => hit(key)));
    await endWindow(key);

    const first = await hit(key);

    expect(first).toMatchObject({ totalHits: 1, isBlocked: false, timeToExpire: 60 });
    expect(await hit(key)).toMatchObject({ totalHits: 2 });
  });

  it('starts one new window for many concurrent hits', async () => {
    const key = aKey();
    await hit(key);
    await endWindow(key);

    const hits = await Promise.all(Array.from({ length: 20 }, () => hit(key)));

    expect(new Set(hits.map(({ totalHits }) => totalHits)).size).toBe(20);
    expect(await rows(key)).toEqual([{ hits: 20 }]);
  });
});

describe('ThrottleStorage.incrementAll', () => {
  const hitAll = (keys: readonly string[], { store = counters, limit = LIMIT } = {}) =>
    store.incrementAll(
      keys.map((key, at) => ({ key, limit: at === keys.length - 1 ? limit : LIMIT })),
      WINDOW_MS,
    );

  it('counts an attempt for each limit', async () => {
    const [one, other] = [aKey(), aKey()];

    const { counted, refusal } = await hitAll([one, other]);

    expect(counted.map(({ key }) => key)).toEqual([one, other]);
    expect(refusal).toBeUndefined();
    expect([await rows(one), await rows(other)]).toEqual([[{ hits: 1 }], [{ hits: 1 }]]);
  });

  it('counts a rejected attempt for no limit, and returns the limit that rejected it', async () => {
    const [wide, narrow] = [aKey(), aKey()];
    await hitAll([wide, narrow], { limit: 1 });

    const { counted, refusal } = await hitAll([wide, narrow], { limit: 1 });

    expect(counted).toEqual([]);
    expect(refusal).toMatchObject({ by: { key: narrow, limit: 1 }, retryAfterSeconds: 60 });
    expect([await rows(wide), await rows(narrow)]).toEqual([[{ hits: 1 }], [{ hits: 1 }]]);
  });

  it('accepts exactly as many concurrent attempts as the smallest limit allows', async () => {
    const [wide, narrow] = [aKey(), aKey()];

    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        hitAll([at % 2 ? wide : aKey(), narrow], {
          store: at % 3 ? counters : elsewhere,
          limit: 4,
        }),
      ),
    );

    const passed = results.filter(({ refusal }) => refusal === undefined);
    expect(passed).toHaveLength(4);
    expect(await rows(narrow)).toEqual([{ hits: 4 }]);
    const ofWide = passed.filter(({ counted }) => counted.some(({ key }) => key === wide));
    expect(await rows(wide)).toEqual([{ hits: ofWide.length }]);
  });
});

describe('ThrottleStorage.takeBack', () => {
  it('undoes each hit once, even on another instance', async () => {
    const key = aKey();
    const [first, second] = [await hit(key), await hit(key)];

    await counters.takeBack(first);
    expect(await rows(key)).toEqual([{ hits: 1 }]);
    await elsewhere.takeBack(second);

    expect(await rows(key)).toEqual([{ hits: 0 }]);
    await counters.takeBack(second);
    expect(await rows(key)).toEqual([{ hits: 0 }]);
  });

  it('undoes no hit of a later window or of a counter that was reset', async () => {
    const [ended, forgotten] = [aKey(), aKey()];
    const late = [await hit(ended), await hit(forgotten)];
    await endWindow(ended);
    await counters.forget(forgotten);
    await Promise.all([hit(ended), hit(forgotten)]);

    await Promise.all(late.map((one) => counters.takeBack(one)));

    expect(await rows(ended)).toEqual([{ hits: 1 }]);
    expect(await rows(forgotten)).toEqual([{ hits: 1 }]);
  });
});

describe('ThrottleStorage.forget', () => {
  it('resets the counter of one key only', async () => {
    const [key, other] = [aKey(), aKey()];
    await Promise.all([hit(key), hit(key), hit(other)]);

    await counters.forget(key);

    expect(await hit(key)).toMatchObject({ totalHits: 1 });
    expect(await hit(other)).toMatchObject({ totalHits: 2 });
  });

  it('accepts a key that was never counted', async () => {
    await expect(counters.forget(aKey())).resolves.toBeUndefined();
  });
});

describe('ThrottleStorage.sweep', () => {
  it('deletes only the windows that have ended', async () => {
    const [ended, running] = [aKey(), aKey()];
    await Promise.all([hit(ended), hit(running)]);
    await endWindow(ended);

    await counters.sweep();

    expect(await rows(ended)).toEqual([]);
    expect(await rows(running)).toEqual([{ hits: 1 }]);
  });

  it('deletes any number of windows that have ended', async () => {
    await database.query(
      `INSERT INTO throttle_counters SELECT 'many-' || n, 1, now() - interval '1 hour'
       FROM generate_series(1, 10005) n`,
    );
    const many = () =>
      database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM throttle_counters WHERE key LIKE 'many-%'`,
      );

    await counters.sweep();

    expect(await many()).toEqual([{ n: 0 }]);
  });

  it('does not disturb hits that are counted at the same time', async () => {
    const expired = Array.from({ length: 30 }, aKey);
    await Promise.all(expired.map((key) => hit(key)));
    await Promise.all(expired.map(endWindow));

    const [, , ...hits] = await Promise.all([
      counters.sweep(),
      elsewhere.sweep(),
      ...expired.map((key) => hit(key)),
    ]);

    expect(hits.map(({ totalHits }) => totalHits)).toEqual(expired.map(() => 1));
  });
});
