import request from 'supertest';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { LoginNameError } from '../../src/auth/consumers/consumers.errors.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { AccountApi, type Person } from '../support/account-api.js';
import { PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const LIMIT = 3;
const FORM = '/account/keys/passwords';
const MAY_ALL = { retrieve: '1', add: '1', modify: '1' };

let app: TestApp;
let api: WallabagApi;
let ada: Person & { id: string };
let bob: Person & { id: string };
let names = 0;

beforeAll(async () => {
  app = await aTestApp({ config: { limits: { ...NO_LIMITS, loginPerAccount: LIMIT } } });
  api = await WallabagApi.of(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await new AccountApi(app).registered();
  bob = await new AccountApi(app).registered();
});

/** Returns an unused name. */
const aName = (): string => `Tt_RSS_${(names += 1)}`;

async function passwordOf(person: { id: string }, loginName?: string): Promise<string> {
  const user = await app.app.get(UserRepository).findOneByOrFail({ id: person.id });
  const details = { name: 'tt-rss', permissions: [...ALL_PERMISSIONS] };
  return app.app
    .get(ApplicationPasswords)
    .create(user, loginName === undefined ? details : { ...details, loginName });
}

const logIn = (email: string, password: string): request.Test => api.logIn({ email, password });

async function loggedInAs(email: string, password: string): Promise<string> {
  const { body } = await logIn(email, password).expect(200);
  const user = await api.user((body as { access_token: string }).access_token).expect(200);
  return (user.body as { email: string }).email;
}

describe('a login name of an application password', () => {
  it('is accepted with its password in any case, and so is the email address', async () => {
    const name = aName();
    const password = await passwordOf(ada, name);

    expect(await loggedInAs(name, password)).toBe(ada.email);
    expect(await loggedInAs(` ${name.toUpperCase()} `, password)).toBe(ada.email);
    expect(await loggedInAs(ada.email, password)).toBe(ada.email);
    await request(app.url).get('/opds').auth(name, password).expect(200);
  });

  it('is rejected with any other password, even one of the same user', async () => {
    const name = aName();
    await passwordOf(ada, name);
    const plain = await passwordOf(ada);
    const named = await passwordOf(ada, aName());
    const foreign = await passwordOf(bob, aName());

    for (const password of [ada.password, plain, named, foreign]) {
      const { body } = await logIn(name, password).expect(400);
      expect(body).toMatchObject({ error: 'invalid_grant' });
      await app.database.query('DELETE FROM throttle_counters');
    }
    await logIn(bob.email, plain).expect(400);
  });

  it('no longer works after the password is revoked, and can be used again', async () => {
    const name = aName();
    const password = await passwordOf(ada, name);
    const passwords = app.app.get(ApplicationPasswords);
    const [stored] = await passwords.list(ada.id);
    await expect(passwordOf(bob, name)).rejects.toThrow(LoginNameError);

    await passwords.revoke(ada.id, stored?.consumerKeyId ?? '');

    await logIn(name, password).expect(400);
    expect(await loggedInAs(name, await passwordOf(bob, name))).toBe(bob.email);
  });

  it('belongs to only one password, even after concurrent requests', async () => {
    const name = aName();

    const made = await Promise.allSettled(
      [ada, bob, ada, bob].map((one, n) => passwordOf(one, n % 2 ? name : name.toLowerCase())),
    );

    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    expect(refused).toHaveLength(3);
    expect(refused.every((error) => error instanceof LoginNameError)).toBe(true);
    const rows = await app.database.query<{ count: string }>(
      'SELECT count(*) FROM consumer_keys WHERE owner_id = ANY ($1)',
      [[ada.id, bob.id]],
    );
    expect(rows).toEqual([{ count: '1' }]);
  });

  it.each(['a b', 'a@b', 'é', 'x'.repeat(65), 'a-b', 'a.b', '\u0430da', 'a\u0000', '..', 'ａ'])(
    'has only 1 to 64 ASCII letters, digits and underscores: not %j',
    async (name) => {
      await expect(passwordOf(ada, name)).rejects.toThrow(LoginNameError);
      expect(await app.app.get(ApplicationPasswords).list(ada.id)).toEqual([]);
    },
  );

  it('is throttled like an email address, whether the name exists or not', async () => {
    const name = aName();
    const password = await passwordOf(ada, name);
    const answersFor = async (typed: string) => {
      const answers = [];
      for (let n = 0; n <= LIMIT; n += 1) {
        const { status, body } = await logIn(typed, 'a wrong pass phrase');
        answers.push([status, body]);
      }
      return answers;
    };

    const there = await answersFor(name);
    const missing = await answersFor('no_such_name');

    const withoutTimes = (answers: unknown): unknown =>
      JSON.parse(JSON.stringify(answers).replaceAll(/\d+ seconds/g, 'some seconds'));
    expect(withoutTimes(there)).toEqual(withoutTimes(missing));
    expect(there.map(([status]) => status)).toEqual([400, 400, 400, 429]);
    await logIn(name.toLowerCase(), password).expect(429);
    expect(await loggedInAs(ada.email, password)).toBe(ada.email);
  });
});

describe('the form of an application password', () => {
  async function visitorOf(person: Person): Promise<PageVisitor> {
    const visitor = new PageVisitor(app);
    await visitor.logIn(person);
    return visitor;
  }

  it('accepts a login name, shows it, and lists it', async () => {
    const name = aName();
    const visitor = await visitorOf(ada);
    const form = await visitor.form(FORM, FORM);

    const made = await visitor
      .submit(form, { name: 'tt-rss', login_name: name, ...MAY_ALL })
      .expect(200);

    expect(shownText(made, '[data-login-name]')).toBe(name.toLowerCase());
    expect(await loggedInAs(name, shownText(made, '[data-password]'))).toBe(ada.email);
    const keys = await visitor.open('/account/keys').expect(200);
    expect(shownText(keys)).toContain(`Login name ${name.toLowerCase()}`);
  });

  it('does not require a login name', async () => {
    const visitor = await visitorOf(ada);
    const form = await visitor.form(FORM, FORM);

    const made = await visitor.submit(form, { name: 'KOReader', ...MAY_ALL }).expect(200);

    expect(shownText(made)).not.toContain('Login name');
    const keys = await visitor.open('/account/keys').expect(200);
    expect(shownText(keys)).not.toContain('Login name');
  });

  it.each([
    ['taken', undefined, 'This login name is taken'],
    ['invalid', 'a b', 'Use 1 to 64 letters'],
  ])('shows an error with a link to the field if the login name is %s', async (_, typed, text) => {
    const name = typed ?? aName();
    if (typed === undefined) {
      await passwordOf(bob, name);
    }
    const visitor = await visitorOf(ada);
    const form = await visitor.form(FORM, FORM);

    const page = await visitor
      .submit(form, { name: 'tt-rss', login_name: name, ...MAY_ALL })
      .expect(400);

    expect(shownText(page, '#error-0 a[href="#login_name"]')).toContain(text);
    const again = await visitor.open(FORM).expect(200);
    expect(shownText(again, '#error-0')).toBe('');
    expect(page.text).toContain(`value="${name}"`);
    expect(await app.app.get(ApplicationPasswords).list(ada.id)).toEqual([]);
  });
});
