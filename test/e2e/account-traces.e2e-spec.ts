import { AccountApi, aPerson } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { PersonalKeysApi } from '../support/personal-keys-api.js';
import { rowsWithText } from '../support/rows-with-text.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** An id with digits that are in no other text. */
const ID = '7301530917';
const GRACE = aPerson({ name: 'Grace Brewster', email: 'grace.brewster@example.com' });

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp({ config: { callLimits: { perUser: 100, perKey: 100 } } });
});
afterAll(() => app.close());

it('the email address and the name of a deleted user are in no text that administrators have caused', async () => {
  const root = await aVisitor(app);
  const press = async (page: string, action = page, fields = {}) => {
    expect((await root.submit(await root.form(page, action), fields)).status).toBeLessThan(400);
  };
  await press('/admin/invitations', '/admin/invitations', { email: GRACE.email });
  await app.database.query(`SELECT setval(pg_get_serial_sequence('users', 'id'), ${ID}, false)`);
  const grace = await aVisitor(app, await new AccountApi(app).signedIn(GRACE));
  const keys = new PersonalKeysApi(app);
  const pair = await keys.make(grace, { name: `Kobo of ${GRACE.name}`, retrieve: '1' });
  await keys.get(pair).expect(200);
  await new AccountApi(app).login({ ...GRACE, password: 'wrong' }).expect(401);
  const [key] = pair.consumer_key.split('-', 1);
  for (const verb of ['disable', 'enable']) {
    await press(`/admin/keys/${key}`, `/admin/keys/${key}/${verb}`);
  }
  const page = `/admin/users/${ID}`;
  for (const verb of ['role', 'reset', 'disable']) {
    await press(page, `${page}/${verb}`);
  }
  const before = Object.keys(await rowsWithText(app.database, { ...GRACE, id: ID }));
  expect(before).toEqual(
    expect.arrayContaining(['audit_entries', 'call_counters', 'one_time_links', 'users']),
  );

  await press(`${page}/delete`);

  expect(await rowsWithText(app.database, { ...GRACE, id: ID })).toEqual({});
  const entries = await app.database.query<{ kind: string }>(
    `SELECT kind FROM audit_entries WHERE user_id = $1 AND actor = 'administrator' ORDER BY id`,
    [ID],
  );
  expect(entries.map(({ kind }) => kind)).toEqual([
    'key_disabled',
    'key_enabled',
    'administrator_appointed',
    'reset_link_created',
    'user_disabled',
    'account_deleted',
  ]);
});
