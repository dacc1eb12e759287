import { PASSWORD } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const LIMIT = 3;
const LINK_LIMIT = 40;

let app: TestApp;

beforeAll(async () => {
  const limits = {
    ...{ ...NO_LIMITS, loginPerAccount: LIMIT, registerPerAddress: LIMIT + 3 },
    ...{ loginPerAddress: LINK_LIMIT, mailPerAccount: 1, mailPerAddress: 1 },
  };
  app = await aTestApp({ config: { limits } });
});
afterAll(() => app.close());

describe('the rate limits of the pages', () => {
  it('count logins per account, and return an error page with Retry-After', async () => {
    const ada = await aVisitor(app);
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/login', '/auth/login');
    const guess = () => bob.submit(form, { email: ada.user.email, password: 'wrong' });

    const statuses = [];
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      statuses.push((await guess()).status);
    }
    const page = await guess();

    expect(statuses).toEqual(Array(LIMIT).fill(403));
    expect([page.status, page.type]).toEqual([429, 'text/html']);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect(shownText(page)).toContain('Too many attempts');
  });

  it.each([
    ['/account/security', '/account/password'],
    ['/account/profile', '/account/email'],
  ])('count wrong current passwords on %s per account, not per email', async (path, action) => {
    const ada = await aVisitor(app);
    const form = await ada.form(path, action);
    const guess = (current: string) =>
      ada.submit(form, {
        ...{ current, password: 'another long pass phrase' },
        email: `${Math.random()}@example.com`,
      });

    const statuses = [];
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      statuses.push((await guess('wrong')).status);
    }

    expect(statuses).toEqual(Array(LIMIT).fill(400));
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  it('do not count changes of the email address as mails if the service sends no mail', async () => {
    const ada = await aVisitor(app);
    const form = await ada.form('/account/profile', '/account/email');

    for (const at of [1, 2, 3]) {
      const email = `${at}.${ada.user.email}`;
      await ada.submit(form, { email, current: PASSWORD }).expect(303);
    }
  });

  it('count logins with an issuer per address, with two requests for each login', async () => {
    const bob = new PageVisitor(app);
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < LINK_LIMIT; attempt += 1) {
      statuses.add((await bob.open('/auth/oidc/start')).status);
      statuses.add((await bob.open('/auth/oidc/callback?code=x&state=y')).status);
    }

    expect([...statuses]).toEqual([403]);
    expect((await bob.open('/auth/oidc/start')).status).toBe(429);
    expect((await bob.open('/auth/oidc/callback')).status).toBe(429);
  });

  it('count tried invitation links per address, but not pages without a link', async () => {
    const bob = new PageVisitor(app);
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < LINK_LIMIT; attempt += 1) {
      statuses.add((await bob.open(`/auth/register?invitation=${attempt}`)).status);
    }

    expect([...statuses]).toEqual([200]);
    expect((await bob.open('/auth/register?invitation=x')).status).toBe(429);
    expect((await bob.open('/auth/register')).status).toBe(200);
  });

  it('count registrations per address', async () => {
    const bob = new PageVisitor(app);
    const form = await bob.form('/auth/register', '/auth/register');

    const statuses = [];
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      statuses.push((await bob.submit(form)).status);
    }

    expect(statuses.at(-1)).toBe(429);
  });
});
