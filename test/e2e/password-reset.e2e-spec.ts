import pg from 'pg';

import { Invitations } from '../../src/auth/links/invitations.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, aPerson, type Person } from '../support/account-api.js';
import { MailingApp } from '../support/mailing-app.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { PersonalKeysApi } from '../support/personal-keys-api.js';
import type { TestApp } from '../support/test-app.js';

const NEXT = 'another pass phrase';

let mailing: MailingApp;
let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  mailing = await MailingApp.begin();
  ({ app } = mailing);
  api = new AccountApi(app);
});
afterAll(() => mailing.close());
afterEach(() => {
  mailing.set({ registration: 'open' });
  Object.assign(app.config, { passwordLogin: true });
});

const askFor = (email: string) => mailing.forget(email);

const mailedLink = ({ email }: Pick<Person, 'email'>) => mailing.resetLink(email);

async function choose(path: string, password = NEXT, visitor = new PageVisitor(app)) {
  return visitor.submit(await visitor.form(path, '/auth/reset'), { password });
}

const admin = () => app.app.get(UserAdministrationService);

describe('resetting a password', () => {
  it('is linked from the login page, works by mail, and ends all sessions', async () => {
    const ada = await api.signedIn();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);
    expect((await new PageVisitor(app).open('/auth/login')).text).toContain('href="/auth/forgot"');

    const path = await mailedLink({ email: ada.email });
    const page = await new PageVisitor(app).open(path).expect(200);
    const answer = await choose(path);

    expect(headingOf(page)).toBe('Choose a new password');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect([answer.status, answer.headers['location']]).toEqual([303, '/auth/login?done=password']);
    await api.login(ada).expect(401);
    await api.loginWith({ Cookie: ada.cookie }).expect(401);
    await visitor.open('/account').expect(303);
    await api.login({ ...ada, password: NEXT }).expect(200);
  });

  it('starts no session, so a second factor is still required', async () => {
    const ada = await api.registered();
    await app.database.query(
      `INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'damaged', 0)`,
      [ada.id],
    );
    const visitor = new PageVisitor(app);

    await choose(await mailedLink(ada), NEXT, visitor);

    expect((await visitor.open('/account')).status).toBe(303);
    const { body } = await api.login({ ...ada, password: NEXT }).expect(401);
    expect(body.code).toBe('otp_required');
  });

  it('revokes keys and feeds if the address was unverified, and keeps them otherwise', async () => {
    const keys = new PersonalKeysApi(app);
    const [stranger, ada] = [await aVisitor(app), await aVisitor(app)];
    await admin().verifyEmail(ada.user.email);
    const held = [];
    for (const visitor of [stranger, ada]) {
      await visitor.submit(await visitor.form('/account/devices', '/account/feeds'));
      held.push(await keys.make(visitor));
      await choose(await mailedLink(visitor.user));
    }
    const answers = await Promise.all(held.map((pair) => keys.get(pair)));
    const feeds = await app.database.query(
      'SELECT user_id FROM feed_accesses WHERE access_id IS NOT NULL',
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(feeds).toEqual([{ user_id: ada.user.id }]);
  });

  it.each([
    ['short', 'at least 8 characters'],
    ['password123', 'one of the most common passwords'],
    ['', 'at least 8 characters'],
  ])('rejects the password %j, and the link still works', async (password, why) => {
    const ada = await api.registered();
    const path = await mailedLink(ada);

    const refused = await choose(path, password);

    expect([refused.status, shownText(refused)]).toEqual([400, expect.stringContaining(why)]);
    expect(refused.headers['referrer-policy']).toBe('no-referrer');
    await api.login(ada).expect(200);
    expect((await choose(path)).status).toBe(303);
  });

  it('succeeds for only one of several concurrent requests with the same link', async () => {
    const ada = await api.registered();
    const path = await mailedLink(ada);
    const forms = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        const visitor = new PageVisitor(app);
        const form = await visitor.form(path, '/auth/reset');
        return () => visitor.submit(form, { password: `${NEXT} ${n}` });
      }),
    );

    const answers = await Promise.all(forms.map((send) => send()));

    const won = answers.flatMap(({ status }, n) => (status === 303 ? [n] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
    await api.login({ ...ada, password: `${NEXT} ${won[0]}` }).expect(200);
  });

  it.each<[string, (ada: Person & { id: string }, other: string) => Promise<unknown>]>([
    ['it was used', (_, other) => choose(other)],
    ['the administrator has set a password', ({ email }) => admin().setPassword(email, NEXT)],
    [
      'the account was disabled, also when it is enabled again',
      async ({ email }) => {
        await admin().disable(email);
        await admin().enable(email);
      },
    ],
    ['the account was deleted', ({ email }) => admin().delete(email)],
    [
      'an hour has passed',
      ({ id }) =>
        app.database.query(
          `UPDATE one_time_links SET expires_at = expires_at - interval '1 hour' WHERE user_id = $1`,
          [id],
        ),
    ],
  ])('rejects a link when %s', async (_, end) => {
    const ada = await api.registered();
    const [path, other] = [await mailedLink(ada), await mailedLink(ada)];
    const visitor = new PageVisitor(app);
    const form = await visitor.form(path, '/auth/reset');
    await end(ada, other);

    const page = await new PageVisitor(app).open(path);
    const answer = await visitor.submit(form, { password: 'a third pass phrase' });

    for (const refused of [page, answer]) {
      expect([refused.status, headingOf(refused)]).toEqual([403, 'This link does not work']);
    }
    await api.login({ ...ada, password: 'a third pass phrase' }).expect(401);
  });

  it.each(['', 'x', "' OR true --", '00000000-0000-0000-0000-000000', 'x'.repeat(3000)])(
    'rejects the token %j',
    async (token) => {
      const query = new URLSearchParams({ token }).toString();
      const visitor = new PageVisitor(app);
      const { fields } = await visitor.form('/auth/forgot', '/auth/forgot');

      await visitor.open(`/auth/reset?${query}`).expect(403);
      await visitor.post('/auth/reset', { ...fields, token, password: NEXT }).expect(403);
    },
  );

  it('does not accept the token of an invitation, and its own token works nowhere else', async () => {
    const ada = await api.registered();
    const { path } = await app.app.get(Invitations).make(undefined);
    const invitation = path.replace(/^.*=/, '');
    const reset = (await mailedLink(ada)).replace(/^.*=/, '');

    await new PageVisitor(app).open(`/auth/reset?token=${invitation}`).expect(403);
    await new PageVisitor(app).open(`/auth/verify?token=${reset}`).expect(403);
    mailing.set({ registration: 'closed' });
    await new PageVisitor(app).open(`/auth/register?invitation=${reset}`).expect(403);
  });

  it('requires the CSRF token', async () => {
    const ada = await api.registered();
    const path = await mailedLink(ada);

    const visitor = new PageVisitor(app);
    const token = path.replace(/^.*=/, '');
    await visitor.post('/auth/reset', { token, password: NEXT }).expect(403);
    await visitor.post('/auth/forgot', { email: ada.email }).expect(403);

    await api.login(ada).expect(200);
    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toHaveLength(1);
  });

  it('works with the link that an administrator creates', async () => {
    const ada = await api.registered();
    const path = await admin().resetPath(ada.email);

    const answer = await choose(path);

    expect(answer.headers['location']).toBe('/auth/login?done=password');
    await api.login({ ...ada, password: NEXT }).expect(200);
  });

  it('cannot be started by an administrator if password login is off', async () => {
    const ada = await api.registered();
    Object.assign(app.config, { passwordLogin: false });

    await expect(admin().resetPath(ada.email)).rejects.toThrow('Passwords are not used here.');
  });
});

describe('requesting a password reset', () => {
  it('returns the same page whether or not the address has an account', async () => {
    const ada = await api.registered();
    const disabled = await api.registered();
    await admin().disable(disabled.email);

    const pages = [];
    for (const { email } of [ada, disabled, aPerson()]) {
      pages.push(await askFor(email));
    }

    await mailing.idle();
    const [known, ...others] = pages;
    expect(headingOf(known!)).toBe('Check your email');
    expect(others.map(({ status, text }) => ({ status, text }))).toEqual(
      Array(2).fill({ status: 200, text: known!.text }),
    );
    expect(mailing.server.sentTo(ada.email)).toHaveLength(1);
    expect(mailing.server.sentTo(disabled.email)).toEqual([]);
  });

  it('returns without reading users or links from the database', async () => {
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    const form = await visitor.form('/auth/forgot', '/auth/forgot');
    const { fields } = form;
    const other = new pg.Client(app.database.url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE users, one_time_links IN ACCESS EXCLUSIVE MODE');

    try {
      for (const email of [ada.email, aPerson().email]) {
        await visitor.submit(form, { email }).expect(200);
        await visitor.post('/auth/verify/again', { ...fields, email }).expect(200);
      }
      expect(mailing.server.sentTo(ada.email)).toEqual([]);
    } finally {
      await other.end();
    }
    await mailing.server.mailTo(ada.email);
  });

  it('has the same limit for known and unknown addresses', async () => {
    const ada = await api.registered();

    for (const { email } of [ada, aPerson()]) {
      const statuses = [];
      for (let n = 0; n < 4; n += 1) {
        statuses.push((await askFor(n % 2 === 0 ? email : email.toUpperCase())).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    }

    await mailing.idle();
    expect(mailing.server.sentTo(ada.email)).toHaveLength(3);
  });

  it.each(['', 'ada', 'ada@', 'ada@example.com\r\nBcc: eve@example.com', 'a@b.com,c@d.com'])(
    'rejects the invalid address %j',
    async (email) => {
      const before = mailing.server.received.length;

      const page = await askFor(email);

      expect([page.status, headingOf(page)]).toEqual([400, 'Forgot your password?']);
      await mailing.idle();
      expect(mailing.server.received).toHaveLength(before);
    },
  );
});
