import request from 'supertest';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { Permission } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { AccountApi, type SignedIn } from '../support/account-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const LIMIT = 5;
const PER_KEY = 12;

let app: TestApp;
let client: WallabagApi;
let ada: SignedIn;
let token: string;
let password: string;

beforeAll(async () => {
  app = await aTestApp({
    config: { syncCallsPerHour: LIMIT, callLimits: { perUser: 2, perKey: PER_KEY } },
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  client = await WallabagApi.of(app);
  ada = await new AccountApi(app).signedIn();
  // The login counts as the first of five calls.
  ({ access_token: token } = await client.tokens(ada));
  const user = await app.app.get(UserRepository).findOneByOrFail({ id: ada.id });
  password = await app.app
    .get(ApplicationPasswords)
    .create(user, { name: 'E-reader', permissions: [Permission.Retrieve] });
});

const call = (bearer = token): request.Test =>
  request(app.url).get('/wallabag/api/entries').set('Authorization', `Bearer ${bearer}`);

const feed = (): request.Test => request(app.url).get('/opds').auth(ada.email, password);

describe('the limit for calls that synchronize a list', () => {
  it('counts wallabag and OPDS calls together, and returns 429 in the format of each client', async () => {
    const answers = [await call(), await feed(), await call(), await feed()];

    const wallabag = await call().expect(429);
    const opds = await feed().expect(429);
    const login = await client.logIn(ada).expect(429);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(wallabag.headers['content-type']).toBe('application/json');
    expect(wallabag.body).toMatchObject({
      ...{ code: 429, message: 'Too Many Requests', error: 'too_many_requests' },
      error_description: expect.stringContaining('Too many'),
    });
    expect(login.body).toMatchObject({ code: 429, error: 'too_many_requests' });
    expect(opds.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(opds.text).toContain('Too many');
    for (const { headers } of [wallabag, opds, login]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600);
    }
  });

  it('is reset after an hour', async () => {
    for (let n = 0; n < LIMIT; n += 1) {
      await call();
    }
    await call().expect(429);

    await app.database.query('UPDATE call_counters SET ends_at = now()');
    app.clock.advance(3600);

    await app.database.query(
      `UPDATE wallabag_tokens SET access_expires_at = now() + interval '1 hour'`,
    );
    await call().expect(200);
  });

  it('applies to one user, and counts no rejected calls, v3 calls or page views', async () => {
    const bob = await new AccountApi(app).registered();
    const { access_token: other } = await client.tokens(bob);
    await call('x').expect(401);
    await request(app.url).get('/opds').auth(ada.email, 'x').expect(401);
    await request(app.url).get('/wallabag/api/version').expect(200);
    const v3 = await ReadingListApi.of(app, { user: ada });
    await v3.get().expect(200);
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);
    for (let n = 0; n < LIMIT; n += 1) {
      await visitor.open('/list').expect(200);
      await visitor.open('/wallabag/').expect(200);
    }

    const answers = [await call(), await call(), await call(), await call()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await call().expect(429);
    await call(other).expect(200);
    await v3.get().expect(200);
    await v3.get().expect(429);
    await visitor.open('/list').expect(200);
  });

  it('also applies to one client over all its users', async () => {
    const others: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const user = await new AccountApi(app).registered();
      others.push((await client.tokens(user)).access_token);
    }
    for (const bearer of [...others, ...others]) {
      await call(bearer).expect(200);
    }
    // Four logins and six calls are counted. Two remain.
    await call(token).expect(200);
    await call(token).expect(200);

    await call(token).expect(429);
    await call(others[0]).expect(429);
  });
});
