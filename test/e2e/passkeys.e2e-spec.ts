import type { Response } from 'supertest';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi } from '../support/account-api.js';
import { ageSessions } from '../support/old-sessions.js';
import { headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import {
  addPasskey,
  aLoginPage,
  aPasskeyUser,
  passkeyRequestOf,
  SITE,
} from '../support/passkey-visitor.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { publicUrl: SITE } });
});
afterAll(() => app.close());

const isLoggedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.open('/account')).status === 200;

const shownAfter = (answer: Response) => [answer.status, headingOf(answer)];

const activityOf = async (visitor: PageVisitor): Promise<string> =>
  shownText(await visitor.open('/account/activity').expect(200));

describe('a login with a passkey', () => {
  it('begins a session, which the account activity shows with the name of the passkey', async () => {
    const { passkey } = await aPasskeyUser(app);
    const page = await aLoginPage(app);

    const answer = await page.send(passkey.used(await page.request()));

    expect(answer.status).toBe(303);
    expect(await isLoggedIn(page.visitor)).toBe(true);
    expect(await activityOf(page.visitor)).toMatch(/Login with passkey.*Laptop/);
    expect(await activityOf(page.visitor)).toMatch(/Passkey added.*Laptop/);
  });

  it('is a recent login', async () => {
    const { passkey } = await aPasskeyUser(app);
    const page = await aLoginPage(app);
    await page.send(passkey.used(await page.request()));

    await page.visitor.open('/account/keys').expect(200);
  });

  it.each([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another domain', { domain: 'evil.example.com' }],
    ['an unverified user', { isUserVerified: false }],
    ['no account', { userHandle: undefined }],
    ['another account', { userHandle: 'AAAA' }],
    ['an unknown passkey', { id: 'dW5rbm93bg' }],
  ])('is refused with an answer for %s', async (_, deviations) => {
    const { passkey } = await aPasskeyUser(app);
    const page = await aLoginPage(app);

    const answer = await page.send(passkey.used(await page.request(), deviations));

    expect(shownAfter(answer)).toEqual([403, 'Log in']);
    expect(shownText(answer)).toContain('The passkey was not accepted.');
    expect(await isLoggedIn(page.visitor)).toBe(false);
  });

  it('is refused with the challenge of another browser', async () => {
    const { passkey } = await aPasskeyUser(app);
    const [mine, other] = [await aLoginPage(app), await aLoginPage(app)];

    const answer = await mine.send(passkey.used(await other.request()));

    expect(answer.status).toBe(403);
  });

  it('is refused with a challenge of five minutes ago', async () => {
    const { passkey } = await aPasskeyUser(app);
    const page = await aLoginPage(app);
    const credential = passkey.used(await page.request());
    app.clock.advance(301);

    expect((await page.send(credential)).status).toBe(403);
  });

  it('accepts a challenge once, even if it is answered several times at the same time', async () => {
    const { passkey } = await aPasskeyUser(app);
    const page = await aLoginPage(app);
    const credential = passkey.used(await page.request());

    const answers = await Promise.all([1, 2, 3, 4].map(() => page.send(credential)));

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403]);
  });

  it('is refused if the counter does not grow, and the account activity shows it', async () => {
    const { passkey, visitor } = await aPasskeyUser(app);
    const first = await aLoginPage(app);
    await first.send(passkey.used(await first.request(), { counter: 5 }));
    const copy = await aLoginPage(app);

    const answer = await copy.send(passkey.used(await copy.request(), { counter: 5 }));

    expect(answer.status).toBe(403);
    expect(await activityOf(visitor)).toMatch(/Passkey refused, it may have been copied.*Laptop/);
  });

  it('is refused if the account is disabled', async () => {
    const { passkey, user } = await aPasskeyUser(app);
    await app.app.get(UserAdministrationService).disable(user.email);
    const page = await aLoginPage(app);

    expect((await page.send(passkey.used(await page.request()))).status).toBe(403);
  });

  it.each([
    ['no JSON', '{'],
    ['an empty text', ''],
    ['another type', '[]'],
    ['too much', 'x'.repeat(100_000)],
  ])('is refused with %s', async (_, credential) => {
    const page = await aLoginPage(app);

    expect((await page.send(credential)).status).toBe(403);
  });

  it('is refused with a body that is larger than a form may be', async () => {
    const page = await aLoginPage(app);

    expect((await page.send('x'.repeat(600_000))).status).toBe(413);
  });
});

describe('the passkeys of an account', () => {
  it('are listed, renamed and removed', async () => {
    const { visitor, passkey } = await aPasskeyUser(app);
    const page = await visitor.form('/account/passkeys', '/account/passkeys/rename');
    await visitor.submit(page, { name: 'Old laptop' }).expect(303);
    expect((await visitor.open('/account/passkeys')).text).toContain('<h2>Old laptop</h2>');

    const removal = await visitor.form('/account/passkeys', '/account/passkeys/remove');
    await visitor.submit(removal).expect(303);

    expect(shownText(await visitor.open('/account/passkeys'))).toContain('You have no passkeys.');
    const login = await aLoginPage(app);
    expect((await login.send(passkey.used(await login.request()))).status).toBe(403);
    expect(await activityOf(visitor)).toMatch(/Passkey removed.*Old laptop/);
  });

  it('cannot be renamed or removed by another user', async () => {
    const ada = await aPasskeyUser(app);
    const bob = await aPasskeyUser(app);
    const form = await ada.visitor.form('/account/passkeys', '/account/passkeys/remove');
    const _csrf = await bob.visitor.csrfToken();

    await bob.visitor.post('/account/passkeys/remove', { ...form.fields, _csrf }).expect(303);
    const renaming = { ...form.fields, _csrf, name: 'Stolen' };
    await bob.visitor.post('/account/passkeys/rename', renaming).expect(303);

    const page = await ada.visitor.open('/account/passkeys');
    expect(page.text).toContain('<h2>Laptop</h2>');
  });

  it('are 20 at most', async () => {
    const { visitor } = await aPasskeyUser(app);
    for (let count = 1; count < 20; count += 1) {
      await addPasskey(visitor, new SoftPasskey(SITE.origin));
    }
    const _csrf = await visitor.csrfToken();
    const path = '/account/passkeys/new';
    const options = await passkeyRequestOf(visitor, path, _csrf);

    const credential = new SoftPasskey(SITE.origin).created(options);
    const answer = await visitor.post(path, { _csrf, credential }).expect(400);

    expect(shownText(answer)).toContain('You have the maximum number of passkeys.');
  });

  it('cannot contain the passkey of another account', async () => {
    const { passkey } = await aPasskeyUser(app);
    const { visitor } = await aPasskeyUser(app);
    const _csrf = await visitor.csrfToken();
    const path = '/account/passkeys/new';
    const credential = passkey.created(await passkeyRequestOf(visitor, path, _csrf));

    await visitor.post(path, { _csrf, credential }).expect(400);
  });

  it('are removed by an administrator or with the account', async () => {
    const { visitor, passkey, user } = await aPasskeyUser(app);
    await app.app.get(UserAdministrationService).removePasskeys(user.email);
    expect(shownText(await visitor.open('/account/passkeys'))).toContain('You have no passkeys.');

    await addPasskey(visitor, passkey);
    await app.app.get(UserAdministrationService).delete(user.email);

    expect(
      await app.database.query('SELECT 1 FROM passkeys WHERE user_id = $1', [user.id]),
    ).toEqual([]);
  });
});

describe('a confirmation with a passkey', () => {
  async function late() {
    const { visitor, passkey, user } = await aPasskeyUser(app);
    await ageSessions(app, user.id);
    const form = await visitor.form('/auth/confirm?next=/account/keys', '/auth/confirm/passkey');
    const options = await passkeyRequestOf(visitor, form.action, form.fields['_csrf'] ?? '');
    return { visitor, passkey, form, options };
  }

  it('continues with the page that was opened', async () => {
    const { visitor, passkey, form, options } = await late();

    const answer = await visitor.submit(form, { credential: passkey.used(options) }).expect(303);

    expect(answer.headers['location']).toBe('/account/keys');
    await visitor.open('/account/keys').expect(200);
  });

  it("is refused with another user's passkey", async () => {
    const { visitor, form, options } = await late();
    const other = await aPasskeyUser(app);

    await visitor.submit(form, { credential: other.passkey.used(options) }).expect(403);

    expect((await visitor.open('/account/keys')).status).toBe(303);
  });

  it('is refused with the challenge of a login', async () => {
    const { visitor, passkey, form } = await late();
    const token = form.fields['_csrf'] ?? '';
    const options = await passkeyRequestOf(visitor, '/auth/login/passkey', token);

    await visitor.submit(form, { credential: passkey.used(options) }).expect(403);
  });
});

describe('limits and settings', () => {
  it('limit the refused passkeys of a client address', async () => {
    const limits = { ...NO_LIMITS, loginPerAddress: 3 };
    const strict = await aTestApp({ config: { publicUrl: SITE, limits } });
    await new AccountApi(strict).registered();
    const page = await aLoginPage(strict);

    const answers = [];
    for (let count = 0; count < 4; count += 1) {
      answers.push((await page.send('')).status);
    }

    expect(answers).toEqual([403, 403, 403, 429]);
    await strict.close();
  });
});
