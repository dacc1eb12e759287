import request from 'supertest';

import { aVisitor, expireRequests, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import type { PageVisitor } from '../support/page-visitor.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NOBODYS_KEY = '1-000000000000000000000000';
const NOBODYS_CODE = 'dcba4321-dcba-4321-dcba-4321dc';

let app: TestApp;
let reader: OAuthApi;
let ada: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});
afterAll(() => app.close());

describe('POST /v3/oauth/request', () => {
  it('rejects a call without a consumer key', async () => {
    expectRefusal(await reader.request({ consumer_key: '' }), 400, 138);
    expectRefusal(await request(app.url).post('/v3/oauth/request'), 400, 138);
  });

  it.each([
    {},
    { redirect_uri: '' },
    { redirect_uri: '   ' },
    { 'redirect_uri[]': 'https://reader.example/' },
  ])('rejects %j', async (members) => {
    expectRefusal(await reader.request(members), 400, 140);
  });

  it('rejects an unknown consumer key before it checks other parameters', async () => {
    expectRefusal(await reader.request({ consumer_key: NOBODYS_KEY }), 403, 152);
    expectRefusal(await reader.request({ consumer_key: `${reader.key}0` }), 403, 152);
  });

  it('rejects a disabled consumer key', async () => {
    const other = await OAuthApi.of(app);
    await other.disable();

    expectRefusal(await other.request(), 403, 152);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'view-source:javascript:alert(1)',
    'about:blank',
    'intent://scan/#Intent;scheme=zxing;end',
    'https://example.com/\r\nSet-Cookie: a=b',
  ])('rejects %j as redirect_uri', async (redirectUri) => {
    const response = await reader.request({ redirect_uri: redirectUri });

    expectRefusal(response, 400, 181);
  });

  it.each([
    { redirect_uri: 'x'.repeat(2001) },
    { redirect_uri: REDIRECT_URI, state: 's'.repeat(2001) },
  ])('rejects a redirect_uri or a state of more than 2,000 characters', async (members) => {
    expectRefusal(await reader.request(members), 400, 130);
  });
});

describe('POST /v3/oauth/authorize', () => {
  it('rejects a call without a consumer key', async () => {
    expectRefusal(await reader.authorize({ consumer_key: '', code: NOBODYS_CODE }), 400, 138);
  });

  it('rejects an unknown consumer key', async () => {
    expectRefusal(await reader.authorize({ consumer_key: NOBODYS_KEY }), 403, 152);
  });

  it('rejects a key that was disabled after the consent, and accepts it when it is enabled again', async () => {
    const other = await OAuthApi.of(app);
    const code = await other.agreedCode(ada);
    await other.disable();

    expectRefusal(await other.authorize({ code }), 403, 152);
    await other.enable();
    await other.authorize({ code }).expect(200);
  });

  it('rejects a key that was deleted after the consent', async () => {
    const other = await OAuthApi.of(app);
    const code = await other.agreedCode(ada);
    await other.delete();

    expectRefusal(await other.authorize({ code }), 403, 152);
  });

  it('rejects a redirect_uri of another origin than the request', async () => {
    const code = await reader.agreedCode(ada, { redirect_uri: 'https://reader.example/back' });

    expectRefusal(
      await reader.authorize({ code, redirect_uri: 'https://evil.example/' }),
      400,
      181,
    );
    await reader.authorize({ code, redirect_uri: 'https://reader.example' }).expect(200);
  });

  it('rejects a call without a code', async () => {
    expectRefusal(await reader.authorize({}), 400, 182);
    expectRefusal(await reader.authorize({ code: '' }), 400, 182);
  });

  it.each([NOBODYS_CODE, 'none', "' OR 1=1 --", 'x'.repeat(2000)])(
    'rejects the unknown code %.40s',
    async (code) => {
      expectRefusal(await reader.authorize({ code }), 400, 185);
    },
  );

  it('rejects a code of another key, and the code stays valid for its own key', async () => {
    const code = await reader.agreedCode(ada);
    const other = await OAuthApi.of(app);

    expectRefusal(await other.authorize({ code }), 400, 185);
    await reader.authorize({ code }).expect(200);
  });

  it('rejects an expired code', async () => {
    const code = await reader.agreedCode(ada);
    await expireRequests(app);

    expectRefusal(await reader.authorize({ code }), 400, 185);
  });

  it('rejects a code repeatedly until the user agrees', async () => {
    const code = await reader.code();

    expectRefusal(await reader.authorize({ code }), 403, 158);
    expectRefusal(await reader.authorize({ code }), 403, 158);
    await ada.answer(code, 'authorized');
    await reader.authorize({ code }).expect(200);
  });

  it('rejects a code that the user has denied', async () => {
    const code = await reader.code();
    await ada.answer(code, 'rejected');

    expectRefusal(await reader.authorize({ code }), 403, 158);
  });

  it('rejects a code that was used', async () => {
    const code = await reader.agreedCode(ada);
    await reader.authorize({ code }).expect(200);

    expectRefusal(await reader.authorize({ code }), 403, 159);
  });

  it('accepts a code only once in concurrent calls', async () => {
    const code = await reader.agreedCode(ada);

    const answers = await Promise.all(Array.from({ length: 8 }, () => reader.authorize({ code })));

    const statuses = answers.map(
      ({ status, headers }) => `${status}/${String(headers['x-error-code'])}`,
    );
    expect(statuses.toSorted()).toEqual(['200/undefined', ...Array<string>(7).fill('403/159')]);
    const [{ count } = { count: '' }] = await app.database.query<{ count: string }>(
      `SELECT count(*) FROM authorization_requests r JOIN grants g USING (consumer_key_id, user_id)
       WHERE r.used_at IS NOT NULL AND g.created_at = r.used_at AND r.code_hash = sha256($1)`,
      [Buffer.from(code)],
    );
    expect(count).toBe('1');
  });

  it('rejects the code of a user whose account was disabled after the consent', async () => {
    const bob = await aVisitor(app);
    const code = await reader.agreedCode(bob);
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [bob.user.id]);

    expectRefusal(await reader.authorize({ code }), 403, 158);
  });
});
