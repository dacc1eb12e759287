import type { Response } from 'supertest';

import { Invitations } from '../../src/auth/links/invitations.js';
import { RegistrationService } from '../../src/auth/registration.service.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, aPerson, type Person } from '../support/account-api.js';
import { linkIn } from '../support/mail-server.js';
import { MailingApp } from '../support/mailing-app.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
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
  const mail = { ...mailing.server.settings, hasLoginNotices: false };
  mailing.set({ mail, isEmailVerificationRequired: false, registration: 'open' });
});

describe('a password reset for an unverified email address', () => {
  it('changes nothing if it cannot end the existing access, and its link still works', async () => {
    const ada = await aVisitor(app);
    await ada.submit(await ada.form('/account/devices', '/account/feeds')).expect(303);
    await mailing.forget(ada.user.email);
    const visitor = new PageVisitor(app);
    const form = await visitor.form(await mailing.linkTo(ada.user.email), '/auth/reset');
    const change = () => visitor.submit(form, { password: NEXT });

    await app.database.query(
      'ALTER TABLE feed_accesses ADD CONSTRAINT kept CHECK (access_id IS NOT NULL) NOT VALID',
    );
    await change().expect(500);
    await app.database.query('ALTER TABLE feed_accesses DROP CONSTRAINT kept');

    await api.login(ada.user).expect(200);
    await api.login({ ...ada.user, password: NEXT }).expect(401);
    await change().expect(303);
    await api.login({ ...ada.user, password: NEXT }).expect(200);
  });
});

describe('email verification', () => {
  const again = async (page: Response, visitor: PageVisitor) =>
    visitor.submit(formIn(page, '/auth/verify/again'));
  const verify = async (path: string) => {
    const visitor = new PageVisitor(app);
    return visitor.submit(await visitor.form(path, '/auth/verify'));
  };
  const register = async (visitor: PageVisitor, person: Person) => {
    const { name, email, password } = person;
    const form = await visitor.form('/auth/register', '/auth/register');
    return visitor.submit(form, { name, email, password });
  };

  beforeEach(() => {
    mailing.set({ isEmailVerificationRequired: true });
  });

  it('lets a registered user log in only after the user has opened the link and confirmed', async () => {
    const ada = await api.registered();
    const wrong = await api.login({ ...ada, password: 'wrong pass phrase' }).expect(401);
    const { body } = await api.login(ada).expect(403);
    const path = await mailing.linkTo(ada.email);
    const page = await new PageVisitor(app).open(path).expect(200);
    await api.login(ada).expect(403);

    const answer = await verify(path);

    expect([wrong.body.code, body.code]).toEqual(['invalid_credentials', 'email_not_verified']);
    expect([page.headers['referrer-policy'], shownText(page)]).toEqual([
      'no-referrer',
      expect.stringContaining(ada.email),
    ]);
    expect(answer.headers['location']).toBe('/auth/login?done=verified');
    await api.login(ada).expect(200);
    const used = await new PageVisitor(app).open(path);
    expect([used.status, headingOf(used)]).toEqual([403, 'This link does not work']);
  });

  it('starts no session at registration or login before the address is verified', async () => {
    const visitor = new PageVisitor(app);
    const person = aPerson();

    const registered = await register(visitor, person);
    const form = await visitor.form('/auth/login', '/auth/login');
    const refused = await visitor.submit(form, { email: person.email, password: person.password });

    for (const [page, status] of [
      [registered, 200],
      [refused, 403],
    ] as const) {
      expect([page.status, headingOf(page)]).toEqual([status, 'Confirm your email address']);
    }
    await visitor.open('/account').expect(303);
    await verify(await mailing.linkTo(person.email));
    await visitor.logIn(person);
  });

  it('sends the link again until the limit is reached, and the first link still works', async () => {
    const visitor = new PageVisitor(app);
    const person = aPerson();
    const page = await register(visitor, person);
    const first = await mailing.linkTo(person.email);

    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await again(page, visitor)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429]);
    await mailing.server.mailTo(person.email, 4);
    expect((await verify(first)).status).toBe(303);
    const [{ count } = { count: '' }] = await app.database.query<{ count: string }>(
      `SELECT count(*) FROM one_time_links WHERE email = $1`,
      [person.email],
    );
    expect(count).toBe('0');
  });

  it('succeeds once if two links are used several times at once', async () => {
    const visitor = new PageVisitor(app);
    const person = aPerson();
    const page = await register(visitor, person);
    const paths = [await mailing.linkTo(person.email)];
    await again(page, visitor);
    paths.push(await mailing.linkTo(person.email, 2));

    const forms = await Promise.all(
      [...paths, ...paths].map(async (path) => {
        const other = new PageVisitor(app);
        const form = await other.form(path, '/auth/verify');
        return () => other.submit(form);
      }),
    );

    const answers = await Promise.all(forms.map((send) => send()));

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    await api.login(person).expect(200);
  });

  it('returns the same page for verified and unknown addresses', async () => {
    mailing.set({ isEmailVerificationRequired: false });
    const verified = await api.registered();
    await app.app.get(UserAdministrationService).verifyEmail(verified.email);
    mailing.set({ isEmailVerificationRequired: true });
    const visitor = new PageVisitor(app);
    const { fields } = await visitor.form('/auth/forgot', '/auth/forgot');

    for (const email of [verified.email, aPerson().email]) {
      const page = await visitor.post('/auth/verify/again', { ...fields, email }).expect(200);
      expect(shownText(page)).toContain('If an account with this address is not confirmed yet');
    }

    await mailing.idle();
    expect(mailing.server.sentTo(verified.email)).toEqual([]);
  });

  it.each<[string, () => Promise<Person>]>([
    [
      'was invited by the address',
      async () => {
        mailing.set({ registration: 'closed' });
        const person = aPerson();
        const { path } = await app.app.get(Invitations).make(person.email);
        await api
          .post('/register', { ...person, invitation: path.replace(/^.*=/, '') })
          .expect(201);
        return person;
      },
    ],
    [
      'an administrator has made',
      async () => {
        const person = aPerson();
        await app.app.get(RegistrationService).create(person);
        return person;
      },
    ],
    [
      'an administrator has vouched for',
      async () => {
        const person = await api.registered();
        await app.app.get(UserAdministrationService).verifyEmail(person.email);
        return person;
      },
    ],
    [
      'has chosen a new password by a link in a mail',
      async () => {
        const person = await api.registered();
        await mailing.forget(person.email);
        const visitor = new PageVisitor(app);
        await mailing.idle();
        const paths = mailing.server
          .sentTo(person.email)
          .map((mail) => linkIn(mail, app.url))
          .filter((path) => path.startsWith('/auth/reset'));
        await visitor.submit(await visitor.form(paths[0]!, '/auth/reset'), { password: NEXT });
        return { ...person, password: NEXT };
      },
    ],
    [
      'is the first of the installation',
      async () => {
        await app.database.query('DELETE FROM users');
        return api.registered();
      },
    ],
  ])('is not required of a user who %s', async (_, make) => {
    const person = await make();

    await api.login(person).expect(200);
  });

  it('is required after a password reset with a link from an administrator', async () => {
    const person = await api.registered();
    const path = await app.app.get(UserAdministrationService).resetPath(person.email);
    const visitor = new PageVisitor(app);
    await visitor.submit(await visitor.form(path, '/auth/reset'), { password: NEXT });

    await api.login({ ...person, password: NEXT }).expect(403);
  });

  it('can be done by an administrator at /admin', async () => {
    await app.database.query('DELETE FROM users');
    mailing.set({ isEmailVerificationRequired: false });
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    await visitor.logIn(ada);
    mailing.set({ isEmailVerificationRequired: true });
    const bob = await api.registered();
    await api.login(bob).expect(403);

    const action = `/admin/users/${bob.id}/verify`;
    await visitor.submit(await visitor.form(`/admin/users/${bob.id}`, action)).expect(303);

    await api.login(bob).expect(200);
    expect((await visitor.open(`/admin/users/${bob.id}`)).text).not.toContain(action);
  });
});
