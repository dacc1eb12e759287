import request, { type Test } from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import { aVisitor, expireRequests, OAuthApi } from '../support/oauth-api.js';
import type { PageVisitor } from '../support/page-visitor.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let reader: OAuthApi;
let official: OAuthApi;
let ada: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
  ada = await aVisitor(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  const permissions = [Permission.Retrieve, Permission.Add];
  reader = await OAuthApi.of(app, { name: 'A <reader> & more', permissions });
  official = await OAuthApi.of(app);
});

const asking = (members: object, as = 'application/json'): Test =>
  request(app.url)
    .post('/v3/oauth/request_meta')
    .set('X-Accept', as)
    .send({ consumer_key: official.key, ...members });

const NOBODYS = {
  ...{ is_valid: '0', has_access_token: '0', app_name: '' },
  ...{ app_description: '', app_icon: '', permission: '' },
};
const READERS = { ...NOBODYS, app_name: 'A <reader> & more', permission: 'retrieve,add' };

describe('POST /v3/oauth/request_meta', () => {
  it('returns the application, its permissions and the state of the code', async () => {
    const code = await reader.code();
    const known = async (): Promise<unknown> =>
      (await asking({ request_token: code }).expect(200)).body;

    expect(await known()).toEqual({ ...READERS, is_valid: '1' });
    await ada.answer(code, 'authorized');
    expect(await known()).toEqual(READERS);
    await reader.authorize({ code }).expect(200);
    expect(await known()).toEqual({ ...READERS, has_access_token: '1' });
  });

  it('returns no data for an unknown code', async () => {
    for (const request_token of ['none', 'dcba4321-dcba-4321-dcba-4321dc', 1]) {
      const { body } = await asking({ request_token }).expect(200);

      expect(body).toEqual(NOBODYS);
    }
  });

  it('reports a code as invalid if the application is disabled or the code has expired', async () => {
    const code = await reader.code();
    await reader.disable();
    const disabled = await asking({ request_token: code }).expect(200);
    await reader.enable();
    await expireRequests(app);
    const expired = await asking({ request_token: code }).expect(200);

    expect([disabled.body, expired.body]).toEqual([READERS, READERS]);
  });

  it('returns a form unless JSON is requested, with the headers of every v3 response', async () => {
    const { text, headers } = await asking({ request_token: await reader.code() }, '').expect(200);

    expect(Object.fromEntries(new URLSearchParams(text))).toEqual({ ...READERS, is_valid: '1' });
    expect(headers).toMatchObject({ 'x-source': 'Pocket', 'x-limit-key-reset': '3600' });
  });

  it('rejects invalid consumer keys and missing or too long codes', async () => {
    const request_token = await reader.code();

    expectRefusal(await asking({ request_token, consumer_key: '' }), 400, 138);
    expectRefusal(await asking({ request_token, consumer_key: '1-0' }), 403, 152);
    expectRefusal(await asking({}), 400, 182);
    expectRefusal(await asking({ request_token: 'x'.repeat(2001) }), 400, 130);
  });
});
