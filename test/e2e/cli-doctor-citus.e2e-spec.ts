import { tablesAt } from '../../src/platform/database/table-places.js';
import { CITUS } from '../support/citus-stub.js';
import { type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

let database: TestDatabase;
let workplace: Workplace;

beforeEach(async () => {
  database = await aDatabase();
  workplace = new Workplace({ DATABASE_URL: database.url });
  await database.query(CITUS);
});
afterEach(async () => {
  workplace.remove();
  await database.drop();
});

async function told(check: string, variables: Variables = {}): Promise<string | undefined> {
  const { stdout } = await workplace.runHere(['doctor', '--json'], { variables });
  const found = (JSON.parse(stdout) as Finding[]).find((finding) => finding.check === check);
  return found && `${found.state}: ${found.detail}`;
}

/** The state after an aborted run. */
const spreadAllBut = (...tables: string[]) =>
  database.query(
    `INSERT INTO pg_dist_partition
     SELECT name::regclass, CASE WHEN name = ANY ($2) THEN 'user_id' END FROM unnest($1::text[]) AS name`,
    [
      [...tablesAt('reference'), ...tablesAt('personal')].filter((name) => !tables.includes(name)),
      tablesAt('personal'),
    ],
  );

describe('satchel doctor with Citus', () => {
  it('reports tables that are not distributed, and local rows that remain', async () => {
    const before = await told('distribution');
    await spreadAllBut('tags', 'tombstones');
    const begun = await told('distribution');
    const unlimited = await told('servers');
    await workplace.runHere(['migrate', '--distributed', 'citus']);
    const spread = await told('distribution');
    const servers = await told('servers');
    await database.query(`
      INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '');
      INSERT INTO lists (user_id) SELECT id FROM users`);

    await database.query(`UPDATE workers SET success = false WHERE nodename = 'worker-2'`);

    expect(before).toMatch(/^ok: Citus is there, and no table is spread/);
    expect(begun).toBe('fault: not spread, run migrate --distributed citus: tags, tombstones');
    expect(spread).toBe('ok: each table is where it belongs');
    expect(unlimited).toBe(
      'fault: limits of time do not hold on worker-1:5432, worker-2:5432: run migrate --distributed citus',
    );
    expect(servers).toBe('ok: 2 with lists, and limits of time hold there');
    expect(await told('servers')).toBe('fault: worker-2:5432: failed to connect');
    expect(await told('distribution')).toBe(
      'warning: local rows are left, run migrate --distributed citus: lists',
    );
  });
});
