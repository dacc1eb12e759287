import request from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { TombstoneSweep } from '../../src/reading-list/tombstone-sweep.js';
import { AccountApi, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const DAY = 86_400;

let app: TestApp;
let api: AccountApi;
let user: SignedIn;
let consumerKey: string;

interface Answer {
  readonly since: number;
  readonly complete: 0 | 1;
  readonly list: object;
}

const call = async (path: string, members: object): Promise<Answer> =>
  (
    await request(app.url)
      .post(path)
      .send({ consumer_key: consumerKey, access_token: user.accessToken, ...members })
      .expect(200)
  ).body;

beforeAll(async () => {
  app = await aTestApp({ config: { tombstoneTtlSeconds: 30 * DAY } });
  api = new AccountApi(app);
  user = await api.signedIn();
  const details = { name: 'Reader', permissions: [...ALL_PERMISSIONS], dialect: Dialect.Standard };
  ({ key: consumerKey } = await app.app.get(ConsumerKeysService).create(details));
});
afterAll(() => app.close());

describe('/v3/get with a since before a deletion', () => {
  it('returns the deletion while its tombstone is valid, and the whole list after that', async () => {
    const { since } = await call('/v3/get', {});
    const actions = ['a', 'b'].map((name) => ({
      action: 'add',
      url: `https://example.com/${name}`,
    }));
    await call('/v3/send', { actions });
    const { list: added } = await call('/v3/get', {});
    const [kept = '', deleted = ''] = Object.keys(added);
    await call('/v3/send', { actions: [{ action: 'delete', item_id: deleted }] });
    const sweep = app.app.get(TombstoneSweep);

    app.clock.advance(29 * DAY);
    user = await api.loggedIn(user);
    const remembered = await call('/v3/get', { since });
    expect(await sweep.sweep()).toBe(0);
    app.clock.advance(DAY + 60);
    user = await api.loggedIn(user);
    const whole = await call('/v3/get', { since });
    expect(await sweep.sweep()).toBe(0);
    app.clock.advance(DAY);
    expect(await sweep.sweep()).toBe(1);

    expect(remembered.complete).toBe(0);
    expect(Object.keys(remembered.list)).toEqual([kept, deleted]);
    expect(whole.complete).toBe(1);
    expect(Object.keys(whole.list)).toEqual([kept]);
  });
});
