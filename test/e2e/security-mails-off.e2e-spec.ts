import { aVisitor } from '../support/oauth-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

it('writes nothing to the outbox of mails about security if there is no mail server', async () => {
  const ada = await aVisitor(app);
  const fields = { current: ada.user.password, password: 'another long pass phrase' };
  await ada.submit(await ada.form('/account/security', '/account/password'), fields).expect(303);
  await ada.submit(await ada.form('/account/devices', '/account/feeds')).expect(303);

  const changes = await app.database.query(
    `SELECT * FROM audit_entries WHERE kind IN ('password_changed', 'feed_created')`,
  );
  expect(changes).toHaveLength(2);
  expect(await app.database.query('SELECT * FROM security_mails')).toEqual([]);
});
