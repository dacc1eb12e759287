import type { Response } from 'supertest';

import { AccountApi, aPerson } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
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
describe('the pages at /admin', () => {
  const PATHS = ['/admin', '/admin/users', '/admin/keys', '/admin/invitations'];

  it.each(PATHS)(
    '%s is shown and linked only to administrators and is never cached',
    async (path) => {
      const ada = await aVisitor(app);

      const page = await root.open(path).expect(200);
      const refused = await ada.open(path).expect(403);
      const stranger = await new PageVisitor(app).open(path).expect(303);

      expect(page.headers['cache-control']).toContain('no-store');
      expect(shownText(refused)).toContain('Only administrators can do this.');
      expect(stranger.headers['location']).toBe(`/auth/login?next=${encodeURIComponent(path)}`);
      expect((await root.open('/account')).text).toContain('href="/admin"');
      expect((await ada.open('/account')).text).not.toContain('/admin');
    },
  );

  it('reject forms from users who are not administrators and forms without a token', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    const _csrf = await ada.csrfToken();
    const paths = ['disable', 'enable', 'delete', 'sign-out', 'reset', 'role']
      .map((verb) => `/admin/users/${bob.user.id}/${verb}`)
      .concat(
        '/admin/keys',
        '/admin/keys/1/delete',
        '/admin/invitations',
        '/admin/invitations/revoke',
      );

    for (const path of paths) {
      expect((await ada.post(path, { _csrf, role: 'administrator' })).status).toBe(403);
      const forged = await root
        .post(path, { role: 'administrator' })
        .set('Origin', 'https://evil.example');
      expect([path, forged.status]).toEqual([path, 403]);
    }
    expect(await inDatabase(bob.user.id)).toEqual({ role: 'user', disabled_at: null });
  });

  it.each([
    ['/admin/users/0', 404],
    ['/admin/users/x', 404],
    ['/admin/users/999999999999999999', 404],
    ['/admin/users/99999999999999999999', 404],
    ['/admin/users/1%00', 404],
    ['/admin/users/999999/delete', 404],
    ['/admin/keys/x', 404],
    ['/admin/keys/999999999999999999/delete', 404],
    ['/admin/users?after=x&q=%25', 200],
    ['/admin/users?after[]=1&q[]=2', 200],
    [`/admin/users?q=${'a'.repeat(2000)}`, 200],
    ['/admin/users?q=%5C', 200],
    ['/admin/users?q=%00', 200],
  ])('respond to %s with status %d', async (path, status) => {
    expect((await root.open(path)).status).toBe(status);
  });

  it('return 404 for unknown actions and users, and 400 for unknown roles', async () => {
    const { user } = await aVisitor(app);
    const _csrf = await root.csrfToken();

    for (const path of [
      `/admin/users/${user.id}/constructor`,
      '/admin/users/x/disable',
      '/admin/keys/1/update',
    ]) {
      expect((await root.post(path, { _csrf })).status).toBe(404);
    }
    for (const role of ['', 'root', 'Administrator']) {
      expect((await root.post(`/admin/users/${user.id}/role`, { _csrf, role })).status).toBe(400);
    }
  });

  it('show the counts of pages and imports', async () => {
    await app.database.query(
      // Not in a waiting state, because a waiting import could start at any time.
      `INSERT INTO imports (user_id, file_name, restores_deleted, state) VALUES ($1, 'a.csv', false, 'cancelled')`,
      [root.user.id],
    );

    const text = shownText(await root.open('/admin'));

    expect(text).toContain('Queued 0');
    expect(text).toContain('Given up 0');
    expect(text).toContain('Uploading 0 Queued 0 Importing 0 Done 0 Failed 0 Stopped 1');
  });
});

describe('consumer keys at /admin/keys', () => {
  const PATH = '/admin/keys';
  const form = () => root.form(PATH, PATH);

  it('can be created, shown once, changed, disabled, enabled and deleted', async () => {
    const page = await root.submit(await form(), { name: '  Re<a>der ', retrieve: '1', add: '1' });

    const key = valueIn(page);
    expect(key).toMatch(/^\d+-[0-9a-f]{24}$/);
    const path = `${PATH}/${key.split('-')[0]}`;
    const shown = await root.open(path).expect(200);
    expect([headingOf(shown), shown.text.includes(key)]).toEqual(['Re<a>der', false]);
    expect((await root.open(PATH)).text).toContain('retrieve, add · Enabled');
    const token = root.user.accessToken;
    const get = () => api.post('/v3/get', { consumer_key: key, access_token: token });
    await get().expect(200);

    await press(root, path, 'permissions', { add: '1' });
    await get().expect(403);
    await press(root, path, 'permissions', { retrieve: '1' });
    await get().expect(200);
    await press(root, path, 'disable');
    await get().expect(401);
    await press(root, path, 'enable');
    await get().expect(200);
    await root.submit(await root.form(`${path}/delete`, `${path}/delete`)).expect(303);
    await get().expect(401);
    await root.open(path).expect(404);
  });

  it.each([
    ['no name', { name: ' ', retrieve: '1' }, 'Enter a name with 1 to 200 characters'],
    ['a name that is not drawn', { name: '\u200b\u3164', retrieve: '1' }, 'one of them visible'],
    [
      'a long name',
      { name: 'x'.repeat(201), retrieve: '1' },
      'Enter a name with 1 to 200 characters',
    ],
    ['no permission', { name: 'Reader' }, 'Select at least one permission.'],
    ['another permission', { name: 'Reader', root: '1', add: 'yes' }, 'at least one'],
  ])('are not created with %s', async (_, fields, problem) => {
    const before = await app.database.query('SELECT id FROM consumer_keys');

    const page = await root.submit(await form(), fields).expect(400);

    expect(shownText(page)).toContain(problem);
    expect(await app.database.query('SELECT id FROM consumer_keys')).toEqual(before);
  });

  it('keep their permissions if no permission is selected', async () => {
    const key = valueIn(await root.submit(await form(), { name: 'Kept', modify: '1' }));
    const path = `${PATH}/${key.split('-')[0]}`;

    const page = await press(root, path, 'permissions');

    expect([page.status, shownText(page)]).toEqual([400, expect.stringContaining('at least one')]);
    expect((await root.open(PATH)).text).toContain('modify · Enabled');
  });
});

describe('invitations', () => {
  const PATH = '/admin/invitations';

  it('can be created for anyone', async () => {
    const page = await root.submit(await root.form(PATH, PATH)).expect(200);

    expect(valueIn(page)).toMatch(
      new RegExp(`^${app.url}/auth/register\\?invitation=[0-9a-f]{32}$`),
    );
  });

  it('are listed without their links and can be revoked', async () => {
    Object.assign(app.config, { registration: 'closed' });
    try {
      const { name, password } = aPerson();
      const email = 'grace@example.com';
      const made = await root.submit(await root.form(PATH, PATH), { email: ' Grace@example.com ' });
      const link = new URL(valueIn(made));
      const list = await root.open(PATH).expect(200);
      const listed = shownText(list);
      const bob = new PageVisitor(app);
      const page = await bob.open(`${link.pathname}${link.search}`).expect(200);

      const button = list.text.match(/name="invitation" value="([0-9a-f]{64})"/)?.[1] ?? '';
      const _csrf = await root.csrfToken();
      for (const invitation of ['', 'x', 'f'.repeat(64)]) {
        await root.post(`${PATH}/revoke`, { _csrf, invitation }).expect(303);
      }
      expect(shownText(await root.open(PATH))).toContain(email);
      await root.post(`${PATH}/revoke`, { _csrf, invitation: button }).expect(303);

      expect(listed).toContain(`${email} Created by ${root.user.email}`);
      expect(list.text).not.toContain(link.searchParams.get('invitation'));
      const late = await bob.submit(formIn(page, '/auth/register'), { name, email, password });
      expect(late.status).toBe(403);
      expect(shownText(await root.open(PATH))).not.toContain(email);
    } finally {
      Object.assign(app.config, { registration: 'open' });
    }
  });

  it.each(['x', 'a@b', '<script>', 'a@example.com,b@example.com'])(
    'are not created for %j',
    async (email) => {
      const page = await root.submit(await root.form(PATH, PATH), { email }).expect(400);

      expect(shownText(page)).toContain('Enter an email address, such as ada@example.com.');
    },
  );

  it('are not created for the address of an existing account', async () => {
    const { user } = await aVisitor(app);

    const page = await root.submit(await root.form(PATH, PATH), { email: user.email }).expect(400);

    expect(shownText(page)).toContain('An account with this email address already exists.');
  });
});
