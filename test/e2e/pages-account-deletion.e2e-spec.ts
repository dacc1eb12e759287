import { Database } from '../../src/platform/database/database.js';
import { AccountApi, PASSWORD } from '../support/account-api.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { ageSessions, confirmPathTo } from '../support/old-sessions.js';
import { headingOf, locationOf, shownText } from '../support/page-visitor.js';
import { PersonalKeysApi } from '../support/personal-keys-api.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

type Visitor = Awaited<ReturnType<typeof aVisitor>>;

const PATH = '/account/delete';

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
  // The first user is the administrator of the service.
  await api.registered();
});
afterAll(() => app.close());
afterEach(() => Object.assign(app.config, { passwordLogin: true }));

const send = async (visitor: Visitor, fields: Record<string, string>) =>
  visitor.submit(await visitor.form(PATH, PATH), fields);

const isStored = async ({ user }: Visitor): Promise<boolean> =>
  (await app.database.query('SELECT FROM users WHERE id = $1', [user.id])).length === 1;

const isDisabled = async ({ user }: Visitor): Promise<boolean> =>
  (
    await app.database.query('SELECT FROM users WHERE id = $1 AND disabled_at IS NOT NULL', [
      user.id,
    ])
  ).length === 1;

/** Makes these visitors the only administrators. */
const onlyAdministrators = (...visitors: readonly Visitor[]) =>
  app.database.query(
    `UPDATE users SET role = CASE WHEN id = ANY ($1) THEN 'administrator' ELSE 'user' END`,
    [visitors.map(({ user }) => user.id)],
  );

describe('the page that deletes the account', () => {
  it('counts what it deletes, and offers the export first', async () => {
    const ada = await aVisitor(app);
    const list = await ReadingListApi.of(app, { user: ada.user });
    await list.saved('https://a.example/', { tags: 'garden,bees' });
    await list.saved('https://b.example/');
    await new PersonalKeysApi(app).make(ada);
    await (await OAuthApi.of(app)).accessToken(ada);

    const page = await ada.open(PATH).expect(200);

    const text = shownText(page);
    expect(text).toContain('2 saved items with their articles');
    expect(text).toContain('2 tags');
    expect(text).toContain('0 highlights');
    expect(text).toContain('The access of 2 apps and keys');
    expect(page.text).toContain('href="/account/data#export"');
  });

  it('deletes the account with all its data, and logs out', async () => {
    const ada = await aVisitor(app);
    const elsewhere = await aVisitor(app, ada.user);
    const keys = new PersonalKeysApi(app);
    const pair = await keys.make(ada);

    const page = await send(ada, { current: PASSWORD });

    expect([page.status, headingOf(page)]).toEqual([200, 'Your account is deleted']);
    expect(page.headers['clear-site-data']).toBe('"storage"');
    expect(await isStored(ada)).toBe(false);
    await ada.open('/account').expect(303);
    await elsewhere.open('/account').expect(303);
    await api.login(ada.user).expect(401);
    await keys.get(pair).expect(401);
  });

  it.each(['', 'wrong', ' '.repeat(50), 'x'.repeat(5000)])(
    'deletes nothing for the password %j',
    async (current) => {
      const ada = await aVisitor(app);

      const page = await send(ada, { current, confirmed_email: ada.user.email });

      expect(page.status).toBe(400);
      expect(shownText(page, '[role=alert]')).toContain('The password is incorrect.');
      expect(page.text).toContain('<a href="#current">');
      expect(await isStored(ada)).toBe(true);
    },
  );

  it('asks users without a usable password for their email address', async () => {
    const ada = await aVisitor(app);
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ada.user.id]);
    const wrong = await send(ada, { confirmed_email: 'bob@example.com', current: PASSWORD });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('<a href="#confirmed_email">');
    expect(await isStored(ada)).toBe(true);

    await send(ada, { confirmed_email: ` ${ada.user.email.toUpperCase()} ` });

    expect(await isStored(ada)).toBe(false);
  });

  it('asks users without a usable password to log in again after 10 minutes', async () => {
    const ada = await aVisitor(app);
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ada.user.id]);
    const form = await ada.form(PATH, PATH);
    await ageSessions(app, ada.user.id);

    const answer = await ada.submit(form, { confirmed_email: ada.user.email });

    expect(locationOf(answer)).toBe(confirmPathTo(PATH));
    expect(await isStored(ada)).toBe(true);
  });

  it('locks no other administrator while it deletes the data', async () => {
    const [ada, bob] = [await aVisitor(app), await aVisitor(app)];
    await onlyAdministrators(ada, bob);
    const form = await ada.form(PATH, PATH);
    await app.database.query('INSERT INTO lists (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      ada.user.id,
    ]);
    const answers: Promise<number>[] = [];
    await app.app.get(Database).transaction(async (manager) => {
      await manager.query('SELECT FROM lists WHERE user_id = $1 FOR UPDATE', [ada.user.id]);
      answers.push(ada.submit(form, { current: PASSWORD }).then(({ status }) => status));
      await until(() => isDisabled(ada), 'the end of the first transaction');
      await manager.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [
        bob.user.id,
      ]);
    });

    expect(await Promise.all(answers)).toEqual([200]);
    expect(await isStored(ada)).toBe(false);
  });

  it('does not delete the last administrator', async () => {
    const ada = await aVisitor(app);
    await onlyAdministrators(ada);

    const page = await ada.open(PATH).expect(200);
    const refused = await ada.post(PATH, { _csrf: await ada.csrfToken(), current: PASSWORD });

    expect(shownText(page)).toContain('You are the last administrator.');
    expect(shownText(page)).toContain('ask the operator to delete the account on the command line');
    expect(page.text).not.toContain(`action="${PATH}"`);
    expect([refused.status, shownText(refused, '[role=alert]')]).toEqual([
      400,
      expect.stringContaining('You are the last administrator.'),
    ]);
    expect(await isStored(ada)).toBe(true);
  });

  it('keeps one of two administrators who delete themselves at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = [await aVisitor(app), await aVisitor(app)];
      await onlyAdministrators(...pair);
      const forms = await Promise.all(pair.map((one) => one.form(PATH, PATH)));

      const answers = await Promise.all(
        pair.map((one, at) => one.submit(forms[at]!, { current: PASSWORD })),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('answers a form that is sent twice without an error of the server', async () => {
    const ada = await aVisitor(app);
    const form = await ada.form(PATH, PATH);

    const answers = await Promise.all([1, 2].map(() => ada.submit(form, { current: PASSWORD })));

    expect(answers.every(({ status }) => status < 500)).toBe(true);
    expect(await isStored(ada)).toBe(false);
  });
});
