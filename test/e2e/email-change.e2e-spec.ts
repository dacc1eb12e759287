import { EmailVerifications } from '../../src/auth/links/email-verifications.js';
import { AccountApi, PASSWORD } from '../support/account-api.js';
import { partsOf } from '../support/mail-server.js';
import { MailingApp } from '../support/mailing-app.js';
import { aVisitor } from '../support/oauth-api.js';
import { ageSessions, confirmPathTo } from '../support/old-sessions.js';
import { headingOf, locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import type { TestApp } from '../support/test-app.js';

const PATH = '/account/profile';
const CONFIRM = '/auth/verify/email';

let mailing: MailingApp;
let app: TestApp;
let api: AccountApi;
let ada: Awaited<ReturnType<typeof aVisitor>>;
let next: string;

beforeAll(async () => {
  mailing = await MailingApp.begin();
  ({ app } = mailing);
  api = new AccountApi(app);
});
afterAll(() => mailing.close());
beforeEach(async () => {
  ada = await aVisitor(app);
  next = `next.${ada.user.email}`;
});

const ask = async (email = next) =>
  ada.submit(await ada.form(PATH, '/account/email'), { email, current: PASSWORD });

const confirm = async (path: string, visitor = new PageVisitor(app)) =>
  visitor.submit(await visitor.form(path, CONFIRM));

const rowOf = async (id: string) =>
  (
    await app.database.query<{ email: string; email_verified_at: Date | null }>(
      'SELECT email, email_verified_at FROM users WHERE id = $1',
      [id],
    )
  )[0];

describe('a change of the email address', () => {
  it('counts after the new address is confirmed, and is reported to the old address', async () => {
    const answer = await ask();
    const path = await mailing.linkTo(next);
    const [warning = ''] = partsOf(await mailing.server.mailTo(ada.user.email));
    const profile = await ada.open(locationOf(answer)).expect(200);
    await api.login(ada.user).expect(200);
    const question = await new PageVisitor(app).open(path).expect(200);

    expect(locationOf(answer)).toBe(`${PATH}?done=email-mailed`);
    expect(shownText(profile)).toContain(`sent to ${next}`);
    expect(warning).toContain(`to ${next}`);
    expect(question.headers['referrer-policy']).toBe('no-referrer');
    expect(shownText(question)).toContain(`The account of Ada (${ada.user.email}) wants to use`);
    expect(shownText(question)).toContain(next);
    expect(partsOf(await mailing.server.mailTo(next))[0]).toContain(
      `The account ${ada.user.email} at`,
    );
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);

    const confirmed = await confirm(path);

    expect([confirmed.status, headingOf(confirmed)]).toEqual([200, 'Email address changed']);
    expect(shownText(confirmed)).toContain(next);
    expect(await rowOf(ada.user.id)).toEqual({ email: next, email_verified_at: expect.any(Date) });
    const [report = ''] = partsOf(await mailing.server.mailTo(ada.user.email, 2));
    expect(report).toContain(`is now ${next}`);
    expect(shownText(await ada.open(PATH).expect(200))).toContain(`${next} (confirmed)`);
    await api.login(ada.user).expect(401);
    await api.login({ email: next, password: PASSWORD }).expect(200);
    expect([(await confirmPage(path)).status, headingOf(await confirmPage(path))]).toEqual([
      403,
      'This link does not work',
    ]);
  });

  const confirmPage = (path: string) => new PageVisitor(app).open(path);

  it('is replaced by a later one, and can be cancelled', async () => {
    await ask(`first.${next}`);
    const first = await mailing.linkTo(`first.${next}`);
    await ask();
    const second = await mailing.linkTo(next);
    await confirmPage(first).expect(403);
    await confirmPage(second).expect(200);

    await ada.submit(await ada.form(PATH, '/account/email/cancel')).expect(303);

    await confirmPage(second).expect(403);
    expect((await ada.open(PATH)).text).not.toContain('/account/email/cancel');
  });

  it.each([
    ['a new password', '/account/password', { current: PASSWORD, password: 'another pass phrase' }],
    ['a logout everywhere', '/account/sign-out', {}],
    ['the end of one other session', '/account/sessions/end', {}],
    ['the end of all other sessions', '/account/sessions/end-others', {}],
  ])('is cancelled by %s', async (_, action, fields) => {
    await aVisitor(app, ada.user);
    await ask();
    const path = await mailing.linkTo(next);

    await ada.submit(await ada.form('/account/security', action), fields).expect(303);

    await confirmPage(path).expect(403);
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);
  });

  it('invalidates the links that were mailed to the old address', async () => {
    await mailing.forget(ada.user.email);
    const reset = await mailing.linkTo(ada.user.email);
    await ask();

    await confirm(await mailing.linkTo(next));

    await confirmPage(reset).expect(403);
  });

  it.each([
    ['/auth/reset', { password: 'another pass phrase' }],
    ['/auth/verify', {}],
  ])('invalidates a link to %s that was mailed during the change', async (action, fields) => {
    const bob = await api.registered();
    const visitor = new PageVisitor(app);
    if (action === '/auth/reset') {
      await mailing.forget(bob.email);
    } else {
      app.app.get(EmailVerifications).request(bob.email);
    }
    const form = await visitor.form(await mailing.linkTo(bob.email), action);
    await app.database.query('UPDATE users SET email = $1 WHERE id = $2', [next, bob.id]);

    const page = await visitor.submit(form, fields);

    expect([page.status, headingOf(page)]).toEqual([403, 'This link does not work']);
    expect((await rowOf(bob.id))?.email_verified_at).toBeNull();
    await api.login({ email: next, password: PASSWORD }).expect(200);
  });

  it('succeeds for only one of several concurrent confirmations', async () => {
    await ask();
    const path = await mailing.linkTo(next);
    const visitors = Array.from({ length: 4 }, () => new PageVisitor(app));
    const forms = await Promise.all(visitors.map((one) => one.form(path, CONFIRM)));

    const answers = await Promise.all(visitors.map((one, at) => one.submit(forms[at]!)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  it('is refused in a browser that is logged in as another user', async () => {
    const bob = await aVisitor(app);
    await ask();
    const path = await mailing.linkTo(next);
    const token = new URL(path, app.url).searchParams.get('token') ?? '';

    const page = await bob.open(path);
    const refused = await bob.post(CONFIRM, { _csrf: await bob.csrfToken(), token });

    for (const one of [page, refused]) {
      expect([one.status, headingOf(one)]).toEqual([409, 'Email address not changed']);
      expect(shownText(one)).toContain('logged in as another user');
      expect(one.text).not.toContain(ada.user.email);
    }
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);
    expect(headingOf(await confirm(path, ada))).toBe('Email address changed');
  });

  it('is mailed at most three times per account, and per new address', async () => {
    for (const at of [1, 2, 3]) {
      expect((await ask(`${at}.${next}`)).status).toBe(303);
    }
    expect((await ask(`4.${next}`)).status).toBe(429);

    const target = `target.${next}`;
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      ada = await aVisitor(app);
      statuses.push((await ask(round % 2 === 0 ? target : target.toUpperCase())).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429]);
  });

  it('counts only attempts that send a mail', async () => {
    const bob = await api.registered();
    const form = await ada.form(PATH, '/account/email');
    const refused = [
      { email: next, current: 'wrong' },
      { email: 'ada', current: PASSWORD },
      { email: ada.user.email, current: PASSWORD },
      { email: bob.email, current: PASSWORD },
    ];

    for (const fields of refused) {
      await ada.submit(form, fields).expect(400);
    }

    for (const at of [1, 2, 3]) {
      expect((await ask(`${at}.${next}`)).status).toBe(303);
    }
    const blocked = await ask();
    expect([blocked.status, shownText(blocked)]).toEqual([
      429,
      expect.stringContaining('Too many attempts'),
    ]);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('needs a recent login from a user without a password', async () => {
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ada.user.id]);
    const { fields } = await ada.form(PATH, '/account/email');
    await ageSessions(app, ada.user.id);
    const refused = await ada.post('/account/email', { ...fields, email: next });
    expect(locationOf(refused)).toBe(confirmPathTo(PATH));
    expect((await ada.open(PATH).expect(200)).text).not.toContain('action="/account/email"');
    await ageSessions(app, ada.user.id, -11);

    expect((await ask()).status).toBe(303);

    const [warning = ''] = partsOf(await mailing.server.mailTo(ada.user.email));
    expect(warning).not.toContain('change your password');
  });

  it('fails with a clear error if another account got the address in the meantime', async () => {
    await ask();
    const path = await mailing.linkTo(next);
    await api.registered({ email: next });

    const page = await confirm(path);

    expect([page.status, headingOf(page)]).toEqual([409, 'Email address not changed']);
    expect((await rowOf(ada.user.id))?.email).toBe(ada.user.email);
  });

  it.each(['', 'x', 'A'.repeat(48), "' OR 1=1 --", '\u202e'.repeat(48)])(
    'is not confirmed by the token %j',
    async (token) => {
      const path = `${CONFIRM}?token=${encodeURIComponent(token)}`;

      await confirmPage(path).expect(403);
    },
  );

  it('mails nothing for a wrong password or a taken address', async () => {
    const bob = await api.registered();
    await mailing.idle();
    const before = mailing.server.received.length;

    const form = await ada.form(PATH, '/account/email');
    await ada.submit(form, { email: next, current: 'wrong' }).expect(400);
    await ada.submit(form, { email: bob.email, current: PASSWORD }).expect(400);

    await mailing.idle();
    expect(mailing.server.received).toHaveLength(before);
  });
});
