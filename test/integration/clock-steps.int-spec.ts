import { DataSource } from 'typeorm';

import { ClockSteps } from '../../src/reading-list/clock-steps.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const DAY = 24 * 3600;

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
});
