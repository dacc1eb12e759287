import type { RegistrationMode } from '../../src/platform/config/registration-mode.js';
import { aPerson } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Changes a setting that the service reads on each call. */
const set = (registration: RegistrationMode): unknown =>
  Object.assign(app.config, { registration });

const open = (path: string) => new PageVisitor(app).open(path);

describe('a service without an account', () => {
  it('has no account', async () => {
    expect(await app.database.query('SELECT id FROM users')).toEqual([]);
  });

  it.each<RegistrationMode>(['open', 'until-first-user'])(
    'leads visitors to the registration page if registration is %s',
    async (mode) => {
      set(mode);

      expect(locationOf(await open('/').expect(303))).toBe('/auth/register');
      expect(locationOf(await open('/auth/login').expect(303))).toBe('/auth/register');
      expect(locationOf(await open('/auth/login?next=/account').expect(303))).toBe(
        '/auth/register?next=%2Faccount',
      );
    },
  );

  it.each<RegistrationMode>(['invite', 'closed'])(
    'shows the home page and the login page if registration is %s',
    async (mode) => {
      set(mode);

      expect(headingOf(await open('/').expect(200))).toBe('Your private reading list');
      expect(headingOf(await open('/auth/login').expect(200))).toBe('Log in');
    },
  );

  it('says that the first account becomes the administrator, and logs the first user in', async () => {
    set('until-first-user');
    const visitor = new PageVisitor(app);

    const page = await visitor.open('/auth/register').expect(200);
    const registered = await visitor.submit(formIn(page, '/auth/register'), { ...aPerson() });

    expect(headingOf(page)).toBe('Create the first account');
    expect(shownText(page)).toContain('It becomes the administrator of this service');
    expect(page.text).not.toContain('/auth/login');
    expect(locationOf(registered)).toBe('/list');
    await visitor.open('/admin').expect(200);
  });
});

describe('the home page', () => {
  it('describes the service, and links to login and registration', async () => {
    set('open');
    const page = await open('/').expect(200);

    expect(headingOf(page)).toBe('Your private reading list');
    expect(page.text).toContain('href="/auth/login"');
    expect(page.text).toContain('href="/auth/register"');
  });

  it('redirects a user who is logged in to the list', async () => {
    const ada = await aVisitor(app);

    const answer = await ada.open('/').expect(303);

    expect(answer.headers['location']).toBe('/list');
  });
});
