import request from 'supertest';

import { AccountApi } from '../support/account-api.js';
import { LaggingStandby } from '../support/lagging-standby.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const ATTEMPTS = 2;
/** The statements from docs/host/operating.md. */
const NEW_ERA = `
  INSERT INTO sync_eras SELECT ceil(extract(epoch FROM now())) + 3600;
  UPDATE lists SET stamp = greatest(stamp, (SELECT max(begins) FROM sync_eras))`;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: ATTEMPTS } } });
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const isReady = async (): Promise<boolean> => (await request(app.url).get('/ready')).status === 200;

async function takeOver(standby: LaggingStandby): Promise<void> {
  await standby.takeOver();
  // The pool may hand out a broken connection once before it notices.
  await until(isReady, 'the service');
  await until(async () => (await api.get({ count: 1 })).status === 200, 'the list');
}

describe('a client of a list whose latest changes were lost in a failover', () => {
  it('gets the whole list if its since is greater than the version of the list', async () => {
    const kept = await api.saved('https://example.com/kept');
    const standby = await LaggingStandby.of(app.database);
    await until(isReady, 'the service');
    await app.database.query('UPDATE lists SET stamp = stamp + 500 WHERE user_id = $1', [
      api.user.id,
    ]);
    await api.saved('https://example.com/lost');
    const { since } = await api.found();

    await takeOver(standby);
    const later = await api.saved('https://example.com/later');
    const answer = await api.found({ since });

    expect(answer.complete).toBe(1);
    expect(Object.keys(answer.list).toSorted()).toEqual([kept, later].toSorted());
    expect(answer.since).toBeLessThan(since);
    expect(await api.found({ since: answer.since })).toMatchObject({ complete: 0, list: {} });
  });

  it('gets later changes, and gets the whole list after a new era begins', async () => {
    const kept = await api.saved('https://example.com/kept');
    const standby = await LaggingStandby.of(app.database);
    await until(isReady, 'the service');
    const lost = await api.saved('https://example.com/lost');
    const { since } = await api.found();

    await takeOver(standby);
    // A failover takes more than a second, the resolution of versions.
    await until(() => Date.now() / 1000 > since + 1);
    const later = await api.saved('https://example.com/later');
    const delta = await api.found({ since });
    await app.database.query(NEW_ERA);
    const whole = await api.found({ since: delta.since });

    expect(delta).toMatchObject({ complete: 0, list: { [later]: {} } });
    expect(delta.list).not.toHaveProperty(lost);
    expect(whole.complete).toBe(1);
    expect(Object.keys(whole.list).toSorted()).toEqual([kept, later].toSorted());
    expect(await api.found({ since: whole.since })).toMatchObject({ complete: 0, list: {} });
  });
});

describe('counters that were lost in a failover', () => {
  it('do not make a client that reads page by page miss items', async () => {
    const saved: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) {
      saved.push(await api.saved(`https://example.com/${n}`));
    }
    const first = await api.found({ count: 2 });
    const standby = await LaggingStandby.of(app.database);

    await takeOver(standby);
    const others = [
      await api.found({ count: 2, offset: 2 }),
      await api.found({ count: 2, offset: 4 }),
    ];

    const found = [first, ...others].flatMap(({ list }) => Object.keys(list));
    expect(found.toSorted()).toEqual(saved.toSorted());
  });

  it('allow new login attempts for a user who had used up the attempts', async () => {
    const accounts = new AccountApi(app);
    const { email } = await accounts.registered();
    const guess = async (): Promise<number> =>
      (await accounts.login({ email, password: 'a wrong pass phrase' })).status;
    const before = [await guess(), await guess(), await guess()];
    const standby = await LaggingStandby.of(app.database);

    await takeOver(standby);

    expect(before).toEqual([401, 401, 429]);
    expect(await guess()).toBe(401);
  });
});
