import type { Response } from 'supertest';
import { DataSource } from 'typeorm';

import { Role } from '../../src/auth/entities/user.entity.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { AccountApi, bearer } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

let app: TestApp;
let api: AccountApi;
/** The first user. */
let root: Visitor;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  root = await aVisitor(app);
});
afterAll(() => app.close());

const valueIn = (page: Response): string => shownText(page, 'dd.address');
const inDatabase = async (id: string) => {
  const [row] = await app.database.query<{ role: string; disabled_at: Date | null }>(
    'SELECT role, disabled_at FROM users WHERE id = $1',
    [id],
  );
  return row;
};
/** Clicks a button on the page of a user or a key. */
async function press(visitor: PageVisitor, path: string, verb: string, fields = {}) {
  return visitor.submit(await visitor.form(path, `${path}/${verb}`), fields);
}
async function anAdministrator(): Promise<Visitor> {
  const visitor = await aVisitor(app);
  await app.database.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [
    visitor.user.id,
  ]);
  return visitor;
}
/** Makes these visitors the only administrators, because other tests create some too. */
async function onlyAdministrators(...visitors: readonly Visitor[]): Promise<void> {
  const ids = visitors.map(({ user }) => user.id);
  await app.database.query(
    `UPDATE users SET role = CASE WHEN id = ANY ($1) THEN 'administrator' ELSE 'user' END`,
    [ids],
  );
}
const administrators = async (): Promise<number> =>
  (
    await app.database.query(
      `SELECT FROM users WHERE role = 'administrator' AND disabled_at IS NULL`,
    )
  ).length;

beforeEach(() => onlyAdministrators(root));

describe('the user administration pages', () => {
  it('list users in pages, and search by a part of the address or name', async () => {
    await app.database.query(
      `INSERT INTO users (name, email, password_hash)
       SELECT 'Many ' || n, 'many' || n || '@example.org', '' FROM generate_series(1, 2000) n`,
    );
    const emailsOf = (page: Response) => page.text.match(/many\d+@example\.org/g) ?? [];
    const found: string[] = [];

    let path: string | undefined = '/admin/users?q=MANY';
    let pages = 0;
    while (path !== undefined) {
      const page: Response = await root.open(path).expect(200);
      found.push(...emailsOf(page));
      path = /href="([^"]+)" rel="next"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
      pages += 1;
    }

    expect([pages, new Set(found).size, found.length]).toEqual([40, 2000, 2000]);
    expect(emailsOf(await root.open('/admin/users?q=many%201999'))).toEqual([
      'many1999@example.org',
    ]);
    expect(emailsOf(await root.open('/admin/users?q=many_1'))).toEqual([]);
    await app.database.query(`DELETE FROM users WHERE email LIKE 'many%'`);
  });

  it('disable a user and every session, and enable the user again', async () => {
    const { user } = await aVisitor(app);
    const path = `/admin/users/${user.id}`;

    const answer = await press(root, path, 'disable').then(
      (response) => response.headers['location'],
    );

    expect(answer).toBe(`${path}?done=disabled`);
    await api.loginWith(bearer(user.accessToken)).expect(401);
    await api.login(user).expect(401);
    await press(root, path, 'enable');
    await api.login(user).expect(200);
  });

  it('sign a user out everywhere', async () => {
    const ada = await aVisitor(app);

    await press(root, `/admin/users/${ada.user.id}`, 'sign-out');

    await ada.open('/account').expect(303);
    await api.refresh(ada.user.refreshToken).expect(401);
  });

  it('turn off the second factor of a user, who can then log in with only the password', async () => {
    const user = await api.signedIn();
    await app.database.query(
      `INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'lost', 0)`,
      [user.id],
    );
    await api.login(user).expect(401);

    await press(root, `/admin/users/${user.id}`, 'second-factor');

    await api.login(user).expect(200);
  });

  it('delete a user after a confirmation', async () => {
    const { user } = await aVisitor(app);
    const path = `/admin/users/${user.id}/delete`;

    const question = await root.open(path).expect(200);
    expect(await inDatabase(user.id)).toBeDefined();
    const answer = await root.submit(formIn(question, path)).expect(303);

    expect(headingOf(question)).toBe(`Delete the account of ${user.email}?`);
    expect(answer.headers['location']).toBe('/admin/users?done=deleted');
    expect(await inDatabase(user.id)).toBeUndefined();
  });

  it('create a password reset link that is shown once, not logged, and deleted by a new password', async () => {
    const { user } = await aVisitor(app);

    const page = await press(root, `/admin/users/${user.id}`, 'reset');

    const link = new URL(valueIn(page));
    expect([link.origin, link.pathname]).toEqual([app.url, '/auth/reset']);
    const token = link.searchParams.get('token') ?? '';
    expect((await root.open(`/admin/users/${user.id}`)).text).not.toContain(token);
    const rows = await app.database.query(
      `SELECT purpose, user_id, created_by FROM one_time_links WHERE user_id = $1`,
      [user.id],
    );
    const made = { purpose: 'password-reset', user_id: user.id, created_by: root.user.id };
    expect(rows).toEqual([made]);
    expect(app.log()).not.toContain(token);
    // Changing the password ends the session.
    await app.app
      .get(UserAdministrationService)
      .setPassword(user.email, 'another long pass phrase');
    expect(
      await app.database.query('SELECT FROM one_time_links WHERE user_id = $1', [user.id]),
    ).toEqual([]);
  });

  it('delete a user without waiting for a lock on an administrator', async () => {
    const [ada, bob] = [await aVisitor(app), await anAdministrator()];
    const path = `/admin/users/${ada.user.id}/delete`;

    const answer = await app.app.get(DataSource).transaction(async (manager) => {
      await manager.query('SELECT FROM users WHERE id = ANY ($1) FOR UPDATE', [
        [root.user.id, bob.user.id],
      ]);
      return root.submit(await root.form(path, path));
    });

    expect(answer.status).toBe(303);
    expect(await inDatabase(ada.user.id)).toBeUndefined();
  });

  it('grant and remove the administrator role, effective from the next request', async () => {
    const ada = await aVisitor(app);
    const path = `/admin/users/${ada.user.id}`;

    await press(root, path, 'role');
    await ada.open('/admin').expect(200);
    await press(root, path, 'role');
    await ada.open('/admin').expect(403);
  });
});

describe('the last administrator', () => {
  it.each(['disable', 'delete', 'role'])('cannot be removed with the form %s', async (verb) => {
    const path = `/admin/users/${root.user.id}`;
    const form = await root.form(verb === 'delete' ? `${path}/delete` : path, `${path}/${verb}`);

    const page = await root.submit(form).expect(409);

    expect(shownText(page)).toContain(
      'This is the last administrator. Make another user an administrator first.',
    );
    expect(await inDatabase(root.user.id)).toEqual({ role: 'administrator', disabled_at: null });
    await root.open('/admin').expect(200);
  });

  it('cannot be removed if the only other administrator is disabled', async () => {
    const ada = await anAdministrator();
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.user.id]);

    await press(root, `/admin/users/${root.user.id}`, 'role').then(({ status }) => {
      expect(status).toBe(409);
    });
  });

  it.each(['disable', 'delete', 'role'])(
    'remains if two administrators %s themselves, or each other, concurrently',
    async (verb) => {
      for (const isCrossed of [false, true]) {
        const [ada, bob] = [await anAdministrator(), await anAdministrator()];
        await onlyAdministrators(ada, bob);
        const targets = isCrossed ? [bob, ada] : [ada, bob];
        const forms = [await ada.csrfToken(), await bob.csrfToken()];

        const answers = await Promise.all(
          [ada, bob].map((visitor, at) =>
            visitor.post(`/admin/users/${targets[at]?.user.id}/${verb}`, {
              ...{ _csrf: forms[at] ?? '', role: 'user' },
            }),
          ),
        );

        // A deleted user is redirected to the login.
        const done = answers.filter(({ headers }) => headers['location']?.startsWith('/admin/'));
        expect(done.length).toBeLessThan(2);
        expect(answers.every(({ status }) => status < 500)).toBe(true);
        expect(await administrators()).toBe(1);
      }
    },
  );

  it('remains if concurrent service calls remove both administrators', async () => {
    const users = app.app.get(UserAdministrationService);
    const [ada, bob] = [await anAdministrator(), await anAdministrator()];
    await onlyAdministrators(ada, bob);
    const [one, other] = [await users.findById(ada.user.id), await users.findById(bob.user.id)];

    const ended = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => users.setRole(one.email, Role.User, other)),
      ...Array.from({ length: 4 }, () => users.disable(other.email, one)),
    ]);

    expect(ended.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await administrators()).toBe(1);
  });
});
