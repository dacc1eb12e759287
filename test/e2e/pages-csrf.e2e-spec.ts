import request, { type Test } from 'supertest';

import { FORM_PATHS } from '../../src/web/forms.js';
import { unmaskToken } from '../../src/web/masked-token.js';
import { AccountApi } from '../support/account-api.js';
import { MailServer } from '../support/mail-server.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, formIn, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let reader: OAuthApi;
/** The first user, who is an administrator. */
let ada: Awaited<ReturnType<typeof aVisitor>>;
let mails: MailServer;

beforeAll(async () => {
  mails = await MailServer.begin();
  // Some forms only exist if mail is configured.
  app = await aTestApp({ config: { mail: mails.settings } });
  reader = await OAuthApi.of(app);
  ada = await aVisitor(app);
});
afterAll(async () => {
  await app.close();
  await mails.close();
});

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
}

/** Returns the targets of all forms, for the first user, item and key. */
function formPaths(): string[] {
  const { router } = app.app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: Layer[] };
  };
  return router.stack
    .flatMap(({ route }) => (route?.methods['post'] === true ? [route.path] : []))
    .filter((path) => FORM_PATHS.some((start) => path === start || path.startsWith(`${start}/`)))
    .map((path) => path.replaceAll(/[:*]\w+/g, '1'));
}

/** Wallabag's clients parse the page that is returned. */
const OF_WALLABAG: ReadonlyMap<string, string> = new Map([
  ['/wallabag/login_check', '302 /wallabag/login?why=outdated'],
  ['/wallabag/developer/client/create', '400 undefined'],
]);

const WAYS: [string, (path: string) => Test][] = [
  ['with the fields of one', (path) => ada.post(path, { email: 'x', name: 'x', retrieve: '1' })],
  ['as JSON', (path) => ada.agent.post(path).send({ _csrf: 'x' })],
  ['as text', (path) => ada.agent.post(path).type('text').send('_csrf=x')],
];

describe('the CSRF protection of forms', () => {
  it.each([
    ['without', undefined],
    ['with a wrong', 'f'.repeat(64)],
    ['with an empty', ''],
  ])('rejects a form %s token', async (_, token) => {
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

  it('rejects the token of another user and the token of an ended session', async () => {
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

  it.each(WAYS)('rejects requests without a valid token at every form, %s', async (_, send) => {
    const paths = formPaths();
    const passed: string[] = [];

    for (const path of paths) {
      const { status, headers } = await send(path);
      if (status !== 403 && (OF_WALLABAG.get(path) ?? '') !== `${status} ${headers['location']}`) {
        passed.push(`${path} ${status} ${headers['location']}`);
      }
    }

    expect(paths.length).toBeGreaterThan(40);
    expect(passed).toEqual([]);
    await ada.open('/account').expect(200);
  });

  it('ignores a decision that is sent by GET', async () => {
    const code = await reader.code();

    await ada.open(`${consentPath(code)}&decision=authorized&_csrf=${await ada.csrfToken()}`);

    expect((await reader.authorize({ code })).headers['x-error-code']).toBe('158');
  });
});

describe('two pages that are opened at once after a login', () => {
  const open = async (cookie: string): Promise<string> => {
    const page = await request(app.url).get('/account').set('Cookie', cookie).expect(200);
    return formIn(page, '/auth/leave').fields['_csrf'] ?? '';
  };
  const post = (cookie: string, _csrf: string) => {
    const fields = { _csrf, current: 'wrong', password: 'another long pass phrase' };
    return request(app.url)
      .post('/account/password')
      .set('Cookie', cookie)
      .type('form')
      .send(fields);
  };

  it('contain the same token, each behind another mask', async () => {
    const { cookie } = await new AccountApi(app).signedIn();

    const [one, other] = [await open(cookie), await open(cookie)];

    expect(one).toMatch(/^[\w-]{86}$/);
    expect(other).not.toBe(one);
    expect(unmaskToken(other)).toBe(unmaskToken(one));
  });

  it('are both accepted, and so is the page of an earlier version without a mask', async () => {
    const { cookie } = await new AccountApi(app).signedIn();
    const [one, other] = [await open(cookie), await open(cookie)];

    for (const token of [one, other, unmaskToken(one)]) {
      expect((await post(cookie, token)).status).not.toBe(403);
    }
  });

  it('are rejected after a change of the mask', async () => {
    const { cookie } = await new AccountApi(app).signedIn();
    const token = await open(cookie);

    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;

    expect((await post(cookie, changed)).status).toBe(403);
    expect((await post(cookie, `${token}A`)).status).toBe(403);
  });

  it('contain one masked token in all their forms', async () => {
    const { cookie } = await new AccountApi(app).signedIn();

    const { text } = await request(app.url)
      .get('/account/security')
      .set('Cookie', cookie)
      .expect(200);

    const tokens = [...text.matchAll(/name="_csrf" value="([^"]*)"/g)].map(([, token]) => token);
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set(tokens).size).toBe(1);
  });
});
