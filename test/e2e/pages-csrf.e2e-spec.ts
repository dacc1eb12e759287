import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let reader: OAuthApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});
afterAll(() => app.close());

describe('a form without the token of its session', () => {
  it.each([
    ['without', undefined],
    ['with a wrong', 'f'.repeat(64)],
    ['with an empty', ''],
  ])('is refused %s one', async (_, token) => {
    const code = await reader.code();

    const page = await ada.post('/auth/authorize', {
      request_token: code,
      decision: 'authorized',
      ...(token !== undefined && { _csrf: token }),
    });

    expect([page.status, page.type]).toEqual([403, 'text/html']);
    expect(shownText(page)).toContain('out of date');
    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });

  it('is refused with the token of another user, and of a session that has ended', async () => {
    const code = await reader.code();
    const mallory = await aVisitor(app);
    const form = await ada.form(consentPath(code), '/auth/authorize');
    const _csrf = await mallory.csrfToken();

    await ada.submit(form, { _csrf, decision: 'authorized' }).expect(403);
    const bob = await aVisitor(app);
    const old = await bob.form(consentPath(code), '/auth/authorize');
    await bob.submit(await bob.form('/account', '/auth/leave')).expect(303);
    await bob.submit(old, { decision: 'authorized' }).expect(403);
    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });

  it.each([
    '/auth/login',
    '/auth/register',
    '/auth/leave',
    '/account/password',
    '/account/sign-out',
    '/account/applications/revoke',
    '/account/feeds',
    '/account/feeds/revoke',
  ])('is refused at %s', async (path) => {
    await ada.post(path, { email: ada.user.email, password: ada.user.password }).expect(403);
    await ada.agent.post(path).send({ _csrf: 'x' }).expect(403);
    await ada.agent.post(path).type('text').send('_csrf=x').expect(403);
    await ada.open('/account').expect(200);
  });

  it('changes nothing by GET', async () => {
    const code = await reader.code();

    await ada.open(`${consentPath(code)}&decision=authorized&_csrf=${await ada.csrfToken()}`);

    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });
});
