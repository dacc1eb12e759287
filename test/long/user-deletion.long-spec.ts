import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

it('an account is deleted even if that takes longer than the statement timeout', async () => {
  const { user } = await ReadingListApi.of(app);
  await app.database.query(`
    CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(6); RETURN OLD; END';
    CREATE TRIGGER slow BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION slowly()`);

  await app.app.get(UserAdministrationService).delete(user.email);

  expect(await app.database.query(`SELECT id FROM users WHERE id = ${user.id}`)).toEqual([]);
});
