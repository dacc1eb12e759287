import { distributeOverCitus } from '../../src/platform/database/distribution.js';
import { CITUS } from '../support/citus-stub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const RECORD = `
  CREATE TABLE transactions (id xid8);
  CREATE FUNCTION record_transaction() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO transactions VALUES (pg_current_xact_id()); RETURN NULL; END $$;
  CREATE TRIGGER record_two_phases AFTER DELETE ON satchel_citus.two_phases
    FOR EACH STATEMENT EXECUTE FUNCTION record_transaction()`;

let app: TestApp;
let beside: TestApp;

beforeAll(async () => {
  app = await aTestApp();
  await app.database.query(CITUS);
  await distributeOverCitus(app.database.connection);
  await app.database.query(RECORD);
  beside = await aTestApp({ beside: app });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const twoPhases = async (): Promise<number> =>
  (await app.database.query('SELECT FROM transactions')).length;

describe('a change of a list on a distributed database', () => {
  it('changes the table with which Citus commits in two phases', async () => {
    const person = (await ReadingListApi.of(app)).at(beside);
    const itemId = await person.saved('https://example.com/');
    const before = await twoPhases();

    await person.sent({ action: 'archive', item_id: itemId });

    expect([before, await twoPhases()]).toEqual([expect.any(Number), before + 1]);
  });

  it('does not need this table on one server', async () => {
    const person = await ReadingListApi.of(app);
    const before = await twoPhases();

    await person.saved('https://example.com/');

    expect(await twoPhases()).toBe(before);
  });
});
