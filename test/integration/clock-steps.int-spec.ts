import pg from 'pg';
import { DataSource } from 'typeorm';

import { ClockSteps } from '../../src/reading-list/clock-steps.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const DAY = 24 * 3600;

/** Longer than the time limit of a statement, and than the service waits for a silent database. */
const SLOW_UPDATES = `
  CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(8); RETURN NULL; END $$;
  CREATE TRIGGER slow BEFORE UPDATE ON lists FOR EACH STATEMENT EXECUTE FUNCTION slow()`;

let app: TestApp;
let second: TestApp;

beforeAll(async () => {
  app = await aTestApp();
  second = await aTestApp({ beside: app });
});
afterAll(async () => {
  await second.close();
  await app.close();
});

/** Both instances have seen a clock that is ahead by about this time. */
async function haveSeen(seconds: number): Promise<void> {
  const ahead = Math.floor(Date.now() / 1000) + seconds;
  await ClockSteps.of(app.app.get(DataSource)).note(ahead);
  await ClockSteps.of(second.app.get(DataSource)).note(ahead + 5);
}

const eras = async (): Promise<number> =>
  (await app.database.query('SELECT FROM sync_eras')).length;

describe('a clock of the database that was set back', () => {
  it('begins no era for less than a minute', async () => {
    const api = await ReadingListApi.of(app);
    const before = await eras();
    await haveSeen(40);
    await api.found();
    expect(await eras()).toBe(before);
  });

  it('begins one era, although several calls notice it at two instances', async () => {
    const api = await ReadingListApi.of(app);
    const kept = await api.saved('https://example.com/kept');
    const { since } = await api.found();
    const before = await eras();
    await haveSeen(DAY);

    const found = await Promise.all(
      [api, api.at(second), api, api.at(second)].map((one) => one.found({ since })),
    );

    expect(await eras()).toBe(before + 1);
    // A call whose statement ran before the era gets its whole list the next time.
    const whole = await Promise.all(
      found.map(async (one) => (one.complete === 1 ? one : api.found({ since: one.since }))),
    );
    expect(whole.map(({ complete }) => complete)).toEqual([1, 1, 1, 1]);
    expect(whole.map(({ list }) => Object.keys(list))).toEqual([[kept], [kept], [kept], [kept]]);
    const { since: afterwards } = whole[0]!;
    const added = await api.at(second).saved('https://example.com/added');
    const delta = await api.found({ since: afterwards });
    expect([delta.complete, Object.keys(delta.list)]).toEqual([0, [added]]);
  });

  it('begins no era when a slow statement returns a time from before other statements', async () => {
    const api = await ReadingListApi.of(app);
    await api.found();
    const before = await eras();
    const other = new pg.Client(app.database.url);
    await other.connect();
    try {
      await other.query('BEGIN; LOCK TABLE lists');
      const slow = api.found();
      await until(async () => (await app.database.lockWaits()) > 0, 'a slow statement');
      await haveSeen(3 * DAY);
      await other.query('ROLLBACK');
      await slow;
      expect(await eras()).toBe(before);
    } finally {
      await other.end();
    }
  });

  it('begins an era although the update of all lists takes longer than a call may', async () => {
    const api = await ReadingListApi.of(app);
    const { since } = await api.found();
    await app.database.query(SLOW_UPDATES);
    const before = await eras();
    await haveSeen(9 * DAY);

    expect((await api.found({ since })).complete).toBe(1);
    expect(await eras()).toBe(before + 1);
    await app.database.query('DROP TRIGGER slow ON lists');
  }, 30_000);
});
