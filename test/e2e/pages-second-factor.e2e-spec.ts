import type { Response } from 'supertest';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, PASSWORD } from '../support/account-api.js';
import {
  Authenticator,
  keyIn,
  ProtectedVisitor,
  recoveryCodesIn,
} from '../support/authenticator.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const PATH = '/account/second-factor';
const CODE_PATH = '/auth/login/code';
const LIMIT = 6;

let app: TestApp;
let api: AccountApi;
let ada: ProtectedVisitor;

beforeAll(async () => {
  app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: LIMIT } } });
  api = new AccountApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await ProtectedVisitor.of(app);
});

const locationOf = ({ headers }: Response): string => headers['location'] ?? '';

/** Opens the page that asks for the code. */
async function asked(path = '/auth/login'): Promise<{ bob: PageVisitor; page: Response }> {
  const bob = new PageVisitor(app);
  const { email, password } = ada.user;
  const page = await bob.submit(await bob.form(path, '/auth/login'), { email, password });
  expect([page.status, headingOf(page)]).toEqual([200, 'Enter the code']);
  return { bob, page };
}

const isLoggedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.open('/account')).status === 200;

describe('the login page with a second factor', () => {
  it('requests the code after the password, and starts no session before it', async () => {
    const { bob, page } = await asked('/auth/login?next=/save%3Ftitle%3Dx');
    expect(await isLoggedIn(bob)).toBe(false);

    const wrong = await bob.submit(formIn(page, CODE_PATH), { otp: ada.authenticator.wrongCode() });
    expect(wrong.status).toBe(403);
    expect(shownText(wrong)).toContain('The code is incorrect');
    expect(await isLoggedIn(bob)).toBe(false);
    const right = await bob.submit(formIn(wrong, CODE_PATH), { otp: ada.authenticator.nextCode() });

    expect(right.status).toBe(303);
    expect(locationOf(right)).toMatch(/^\/save\?title=x/);
    expect(await isLoggedIn(bob)).toBe(true);
  });

  it('accepts a recovery code and then shows how many codes are left', async () => {
    const { bob, page } = await asked();

    await bob.submit(formIn(page, CODE_PATH), { otp: ada.recoveryCodes[3]! }).expect(303);

    expect(shownText(await bob.open('/account/security'))).toContain('Recovery codes left: 9.');
  });

  it('accepts a code only once if two browsers send it at the same time', async () => {
    const [one, other] = [await asked(), await asked()];
    const otp = ada.authenticator.nextCode();

    const answers = await Promise.all(
      [one, other].map(({ bob, page }) => bob.submit(formIn(page, CODE_PATH), { otp })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  });

  it('keeps a form that was sent without a session', async () => {
    const bob = new PageVisitor(app);
    const late = await bob
      .post('/list/actions', { action: 'archive', 'item[]': '7' })
      .set('Sec-Fetch-Site', 'same-origin')
      .expect(403);
    const { email, password } = ada.user;
    const page = await bob.submit(formIn(late, '/auth/login'), { email, password }).expect(200);

    const again = await bob
      .submit(formIn(page, CODE_PATH), { otp: ada.authenticator.nextCode() })
      .expect(200);

    expect(headingOf(again)).toBe('Send it again?');
  });

  it('starts again with the password after five minutes', async () => {
    const { bob, page } = await asked();
    app.clock.advance(301);

    const answer = await bob.submit(formIn(page, CODE_PATH), { otp: ada.authenticator.code() });

    expect([answer.status, headingOf(answer)]).toEqual([403, 'Log in']);
    expect(await isLoggedIn(bob)).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the password is changed', () => changePassword()],
    ['the account is disabled', () => administration().disable(ada.user.email)],
    ['the user signs out everywhere', () => administration().signOut(ada.user.email)],
    ['the account is deleted', () => administration().delete(ada.user.email)],
    ['the second factor is turned off', () => administration().resetSecondFactor(ada.user.email)],
  ])('accepts no code after %s', async (_, happens) => {
    const { bob, page } = await asked();
    const form = formIn(page, CODE_PATH);
    await happens();
    const otp = ada.authenticator.nextCode();

    const answers = [
      await bob.submit(form, { otp }),
      await bob.submit(form, { otp: ada.recoveryCodes[0]! }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(await isLoggedIn(bob)).toBe(false);
  });

  it.each(['', ' ', 'x'.repeat(5000), '<script>', '１２３４５６', '123456\u202e'])(
    'rejects the code %j',
    async (otp) => {
      const { bob, page } = await asked();

      expect((await bob.submit(formIn(page, CODE_PATH), { otp })).status).toBe(403);
    },
  );

  it('gives no access to the API, and accepts no code without the password', async () => {
    const { bob, page } = await asked();
    await bob.agent.post('/login').expect(401);
    const eve = new PageVisitor(app);
    const csrf = formIn(await eve.open('/auth/login'), '/auth/login').fields['_csrf']!;

    const otp = ada.authenticator.nextCode();
    const answers = [
      await eve.post(CODE_PATH, { ...formIn(page, CODE_PATH).fields, otp }),
      await eve.post(CODE_PATH, { _csrf: csrf, email: ada.user.email, otp }),
      await bob.post(CODE_PATH, { otp }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await isLoggedIn(eve)).toBe(false);
    expect(locationOf(await eve.open(CODE_PATH))).toBe('/auth/login');
  });

  it('counts wrong codes per account, not per browser', async () => {
    const browsers = [await asked(), await asked()];
    const statuses: number[] = [];
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      const { bob, page } = browsers[attempt % 2]!;
      const guess = { otp: ada.authenticator.wrongCode(), email: `x${attempt}@example.com` };
      statuses.push((await bob.submit(formIn(page, CODE_PATH), guess)).status);
    }

    expect(statuses).toEqual([...Array<number>(LIMIT - 2).fill(403), 429, 429]);
  });
});

const administration = (): UserAdministrationService => app.app.get(UserAdministrationService);

const changePassword = async (): Promise<void> => {
  const form = await ada.visitor.form('/account/security', '/account/password');
  await ada.visitor
    .submit(form, { current: PASSWORD, password: 'another long pass phrase' })
    .expect(303);
};

describe('the page of the second factor', () => {
  it('turns it on only with the password and a valid code, and shows the recovery codes once', async () => {
    const eve = await aVisitor(app);
    const page = await eve.open(PATH).expect(200);
    const form = formIn(page, PATH);
    const wrong = [
      { current: 'wrong', otp: '123456' },
      { current: PASSWORD, otp: '123456' },
      { current: PASSWORD, otp: ada.recoveryCodes[0]! },
      { current: '', otp: '' },
    ];

    for (const fields of wrong) {
      const answer = await eve.submit(form, { ...fields, change: 'on' }).expect(400);
      expect(keyIn(answer.text)).toBe(keyIn(page.text));
      expect(recoveryCodesIn(answer.text)).toEqual([]);
    }
    await api.login(eve.user).expect(200);
    expect(recoveryCodesIn((await ada.visitor.open(PATH)).text)).toEqual([]);
    expect(keyIn((await ada.visitor.open(PATH)).text)).toBe('');
    expect(new Set(ada.recoveryCodes).size).toBe(10);
    expect(page.text).not.toMatch(/<script(?! type="module" src=)|style=/);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('shows each user a different key', async () => {
    const pages = [await (await aVisitor(app)).open(PATH), await (await aVisitor(app)).open(PATH)];

    const keys = new Set(pages.map(({ text }) => keyIn(text)));

    expect([...keys].filter((key) => /^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/.test(key))).toHaveLength(2);
  });

  it('turns it on once if two windows submit the form at the same time', async () => {
    const eve = await aVisitor(app);
    const elsewhere = await aVisitor(app, eve.user);
    const answers = await Promise.all(
      [eve, elsewhere].map(async (visitor) => {
        const page = await visitor.open(PATH).expect(200);
        const otp = new Authenticator(keyIn(page.text), app.clock).code();
        return visitor.submit(formIn(page, PATH), { current: PASSWORD, otp, change: 'on' });
      }),
    );

    expect(answers.map((page) => recoveryCodesIn(page.text).length).sort()).toEqual([0, 10]);
    const rows = await app.database.query('SELECT FROM recovery_codes WHERE user_id = $1', [
      eve.user.id,
    ]);
    expect(rows).toHaveLength(10);
  });

  it('creates new recovery codes for a valid code, and the old codes stop working', async () => {
    const otp = ada.authenticator.nextCode();
    expect((await ada.change('codes', { current: 'wrong', otp })).status).toBe(400);
    expect((await ada.change('codes', { otp: ada.authenticator.wrongCode() })).status).toBe(400);
    const fresh = recoveryCodesIn((await ada.change('codes', { otp })).text);

    expect(fresh).toHaveLength(10);
    expect(await ada.outcome(ada.recoveryCodes[0])).toEqual([401, 'invalid_otp']);
    expect(await ada.outcome(fresh[0])).toEqual([200, undefined]);
  });

  it('turns it off only with the password and a valid code', async () => {
    const otp = ada.authenticator.nextCode();
    for (const fields of [
      { current: 'wrong', otp },
      { otp: ada.authenticator.wrongCode() },
      { otp: '' },
    ]) {
      expect((await ada.change('off', fields)).status).toBe(400);
    }
    expect(await ada.outcome()).toEqual([401, 'otp_required']);

    const answer = await ada.change('off', { otp });

    expect(locationOf(answer)).toBe('/account/security?done=second-factor-off');
    expect(await ada.outcome()).toEqual([200, undefined]);
    expect((await ada.change('off', { otp: ada.recoveryCodes[0]! })).status).toBe(400);
  });

  it.each(['', 'on ', 'constructor', '__proto__'])(
    'rejects the unknown change %j',
    async (change) => {
      const answer = await ada.change(change, { otp: ada.authenticator.nextCode() });

      expect(answer.status).toBe(400);
      expect(await ada.outcome()).toEqual([401, 'otp_required']);
    },
  );

  it('does not reset the failed attempts when it is turned on again', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= LIMIT; attempt += 1) {
      const change = attempt === 2 ? 'on' : 'off';
      const otp = ada.authenticator.wrongCode();
      statuses.push((await ada.change(change, { current: PASSWORD, otp })).status);
    }

    expect(statuses).toEqual([400, 400, 200, ...Array<number>(LIMIT - 3).fill(400), 429]);
  });

  it('requires a login and a form token', async () => {
    const bob = new PageVisitor(app);
    expect(locationOf(await bob.open(PATH).expect(303))).toContain('/auth/login?next=');
    const fields = { current: PASSWORD, otp: ada.authenticator.nextCode(), change: 'off' };

    expect((await ada.visitor.post(PATH, fields)).status).toBe(403);
    expect((await bob.post(PATH, fields)).status).toBe(403);

    expect(await ada.outcome()).toEqual([401, 'otp_required']);
  });

  it('keeps the second factor on after a password change', async () => {
    await changePassword();

    expect(await isLoggedIn(ada.visitor)).toBe(true);
    const password = 'another long pass phrase';
    expect(await ada.outcome(undefined, { password })).toEqual([401, 'otp_required']);
  });
});
