import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

/** Citus passes on the error of a shard without the field that names the constraint. */
const REJECT = `
  CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'insert or update on table "%_102083" violates foreign key constraint "%_user_id_fkey_102083"',
      TG_TABLE_NAME, TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END $$`;

let app: TestApp;
let ada: WallabagCaller;

beforeAll(async () => {
  app = await aTestApp();
  await app.database.query(REJECT);
});
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
});
afterAll(() => app.close());

it.each(['url_hashes', 'hashed_lists'])(
  'returns 401 if a shard of %s reports that the list was deleted during the call',
  async (table) => {
    await ada.saved('https://example.com/');
    await app.database.query(
      `CREATE TRIGGER reject BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION reject()`,
    );

    const answer = await ada.get('entries/exists', { hashed_url: '0'.repeat(40) });

    await app.database.query(`DROP TRIGGER reject ON ${table}`);
    expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
  },
);
