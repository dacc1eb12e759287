import pg from 'pg';

import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const GATE = 7_270_042;

/** Delays the commit of an item until the gate opens, with versions from a hundred seconds ago. */
const SLOW_COMMITS = [
  `CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '60s' AS $$
  BEGIN
    UPDATE items SET stamp = stamp - 100 WHERE user_id = NEW.user_id AND item_id = NEW.item_id;
    UPDATE lists SET stamp = stamp - 100 WHERE user_id = NEW.user_id;
    PERFORM pg_advisory_xact_lock_shared(${GATE});
    RETURN NULL;
  END $$`,
  `CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION commit_slowly()`,
];

const WAITING = `
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

let app: TestApp;
let gate: pg.Client;

beforeAll(async () => {
  app = await aTestApp();
  gate = new pg.Client({ connectionString: app.database.url });
  await gate.connect();
});
afterAll(async () => {
  await gate.end();
  await app.close();
});

async function untilCommitting(): Promise<void> {
  while ((await app.database.query(WAITING)).length === 0) {
    // Polls until the commit waits.
  }
}

/** Creates a list whose only item was saved fifteen minutes ago. */
async function aRestingList(api: ReadingListApi): Promise<void> {
  await api.saved('https://example.com/before');
  for (const table of ['items', 'lists']) {
    await app.database.query(`UPDATE ${table} SET stamp = stamp - 1000 WHERE user_id = $1`, [
      api.user.id,
    ]);
  }
}

it.each([
  ['a list that rests', true],
  ['a list that begins', false],
])('a change whose commit takes more than a minute reaches clients of %s', async (_, isBegun) => {
  const api = await ReadingListApi.of(app);
  if (isBegun) {
    await aRestingList(api);
  }
  for (const statement of SLOW_COMMITS) {
    await app.database.query(statement);
  }
  await gate.query('SELECT pg_advisory_lock($1)', [GATE]);

  const saving = api.saved('https://example.com/slow');
  await untilCommitting();
  const meanwhile = await api.found();
  const polled = await api.found({ since: meanwhile.since });
  await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
  const saved = await saving;
  const afterwards = await api.found({ since: polled.since });

  await app.database.query('DROP TRIGGER slow_commit ON items');
  await app.database.query('DROP FUNCTION commit_slowly');
  expect(meanwhile.list).not.toHaveProperty(saved);
  expect(afterwards.complete).toBe(0);
  expect(afterwards.list).toHaveProperty(saved);
  expect((await api.found({ since: afterwards.since })).list).toEqual({});
});

it('a change with a slow commit is not lost while another transaction tries to lock the list', async () => {
  const api = await ReadingListApi.of(app);
  await aRestingList(api);
  for (const statement of SLOW_COMMITS) {
    await app.database.query(statement);
  }
  const other = new pg.Client({ connectionString: app.database.url });
  await other.connect();
  await gate.query('SELECT pg_advisory_lock($1)', [GATE]);

  const saving = api.saved('https://example.com/slow');
  await untilCommitting();
  await other.query('BEGIN');
  // Takes the lock of a foreign key check, but without waiting.
  const shared = await other.query(
    'SELECT FROM lists WHERE user_id = $1 FOR KEY SHARE SKIP LOCKED',
    [api.user.id],
  );
  const polled = await api.found();
  await other.query('ROLLBACK');
  await other.end();
  await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
  const saved = await saving;
  const afterwards = await api.found({ since: polled.since });

  await app.database.query('DROP TRIGGER slow_commit ON items');
  await app.database.query('DROP FUNCTION commit_slowly');
  expect(afterwards.list).toHaveProperty(saved);
  expect(shared.rowCount).toBe(0);
});
