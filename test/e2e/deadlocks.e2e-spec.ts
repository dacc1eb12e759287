import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

/** Sequences are not rolled back. So the first transactions fail and the next one succeeds. */
const DEADLOCKS = `
  CREATE SEQUENCE conflicts;
  CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('conflicts') <= TG_ARGV[0]::int THEN
      RAISE EXCEPTION USING ERRCODE = 'deadlock_detected';
    END IF;
    RETURN NULL;
  END $$;`;

beforeAll(async () => {
  app = await aTestApp();
  await app.database.query(DEADLOCKS);
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});
afterEach(() => app.database.query('DROP TRIGGER conflict ON items'));

const afterConflicts = (count: number): Promise<unknown> =>
  app.database.query(`
    ALTER SEQUENCE conflicts RESTART;
    CREATE TRIGGER conflict AFTER INSERT ON items
    FOR EACH STATEMENT EXECUTE FUNCTION conflict(${count})`);

describe('a change that PostgreSQL aborts because of a deadlock', () => {
  it('is retried for /v3/add', async () => {
    await afterConflicts(2);

    const { status } = await api.add({ url: 'https://example.com/a', tags: 'x' });

    expect(status).toBe(200);
    expect(Object.keys((await api.found({ tag: 'x' })).list)).toHaveLength(1);
  });

  it('is retried for /v3/add of an item without tags', async () => {
    await afterConflicts(2);

    const { status } = await api.add({ url: 'https://example.com/d' });

    expect(status).toBe(200);
    expect(Object.keys((await api.found()).list)).toHaveLength(1);
  });

  it('is retried for /v3/send', async () => {
    await afterConflicts(1);

    const { status, body } = await api.send([
      { action: 'add', url: 'https://example.com/b', tags: 'y' },
    ]);

    expect([status, body.status]).toEqual([200, 1]);
    expect(Object.keys((await api.found({ tag: 'y' })).list)).toHaveLength(1);
  });

  it('is abandoned after three attempts, and the client gets 503 with Retry-After', async () => {
    await afterConflicts(3);

    const { status, headers } = await api.add({ url: 'https://example.com/c', tags: 'z' });

    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(await api.names({ tag: 'z' })).toEqual([]);
  });
});
