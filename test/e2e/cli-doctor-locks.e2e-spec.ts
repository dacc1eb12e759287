import { randomBytes } from 'node:crypto';

import pg from 'pg';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { until, type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let workplace: Workplace;
let programs: pg.Client[];

beforeEach(async () => {
  database = await aDatabase();
  workplace = new Workplace({ DATABASE_URL: database.url });
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.end()));
  workplace.remove();
  await database.drop();
});

/** Runs the command, and returns its findings as texts, such as `clock ok 0.1 s …`, by their checks. */
async function examined(variables: Variables = {}): Promise<(check: string) => string[]> {
  const { stdout } = await workplace.runHere(['doctor', '--json'], { variables });
  const findings = JSON.parse(stdout) as Finding[];
  return (wanted) =>
    findings.flatMap(({ check, state, detail }) =>
      check === wanted ? [`${state} ${detail}`] : [],
    );
}

/** Another program, which has begun a transaction with a statement. */
async function aProgram(name: string, statement: string): Promise<pg.Client> {
  const program = new pg.Client({ connectionString: database.url, application_name: name });
  program.on('error', () => undefined);
  await program.connect();
  programs.push(program);
  await program.query('BEGIN');
  await program.query(statement);
  return program;
}

/** Runs a statement that must wait for a lock. Its transaction ends with the program. */
async function wait(program: pg.Client, statement: string): Promise<void> {
  program.query(statement).catch(() => undefined);
  await until(async () => (await database.lockWaits()) > 0);
}

const IS_NOT_CHECKED = 'warning not checked, because the table migrations is locked';

describe('satchel doctor ends, and reports its other findings', () => {
  it('if a session waits to lock the migrations behind a reader', async () => {
    await aProgram('pg_dump', 'SELECT FROM migrations');
    const rewriting = await aProgram('maintenance', 'SELECT');
    await rewriting.query('COMMIT');
    await wait(rewriting, 'VACUUM FULL migrations');

    const found = await examined();

    expect(found('locks')).toEqual([expect.stringMatching(/"pg_dump".*, blocks 1 session\./)]);
    expect(found('schema')).toEqual([IS_NOT_CHECKED]);
    expect(found('clock')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('if a session has locked the migrations, and itself waits for another one', async () => {
    await aProgram('first', 'LOCK TABLE lists');
    const second = await aProgram('second', 'LOCK TABLE migrations');
    await wait(second, 'LOCK TABLE lists');

    const found = await examined();

    expect(found('locks')).toEqual([
      expect.stringMatching(/"first".*, locks lists, blocks 1 session\./),
    ]);
    expect(found('schema')).toEqual([
      'warning not checked, because one of the tables lists, migrations is locked',
    ]);
  });

  it('if the table of its writes is locked', async () => {
    await aProgram('reports', 'LOCK TABLE call_counters');

    const found = await examined();

    expect(found('writing')).toEqual([
      'warning not checked, because the table call_counters is locked',
    ]);
  });
});

it('satchel doctor reports an old prepared transaction', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`
    CREATE VIEW public.pg_prepared_xacts AS
    SELECT gid, now() - age AS prepared, 'ada'::name AS owner, current_database() AS database
    FROM (VALUES ('it''s old', interval '1 hour'), ('new', interval '0')) AS prepared (gid, age)`);
  await database.query(`ALTER DATABASE "${name}" SET search_path = public, pg_catalog`);

  const found = await examined();

  expect(found('locks')).toEqual([
    expect.stringMatching(
      /^fault role "ada" prepared the transaction "it's old" 3600 s ago, .*ROLLBACK PREPARED 'it''s old'$/,
    ),
  ]);
});

describe('satchel doctor with an ordinary role', () => {
  let role: string;
  let url: string;

  beforeEach(async () => {
    role = `ordinary_${randomBytes(6).toString('hex')}`;
    url = Object.assign(new URL(database.url), { username: role, password: 'p' }).href;
    await database.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'p' CONNECTION LIMIT 7;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
  });
  afterEach(() => database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));

  it('reports a lock that another role holds for an unknown time', async () => {
    await aProgram('reports', 'LOCK TABLE lists');

    const found = await examined({ DATABASE_URL: url });

    expect(found('locks')).toEqual([
      expect.stringMatching(/^fault application "reports" .* of unknown age, locks lists\./),
    ]);
  });

  it('compares the connections with the smallest limit', async () => {
    const ofRole = await examined({ DATABASE_URL: url });
    await database.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} CONNECTION LIMIT 5`);
    const ofDatabase = await examined({ DATABASE_URL: url });
    // An address with a password is another one, which no suite routes through a pooler.
    const withPassword = Object.assign(new URL(database.url), { password: 'p' }).href;
    const ofSuperuser = await examined({ DATABASE_URL: withPassword });

    expect(ofRole('connections')).toEqual([expect.stringMatching(/^warning .*allows 7: lower/)]);
    expect(ofDatabase('connections')).toEqual([expect.stringMatching(/^warning .*allows 5: /)]);
    expect(ofSuperuser('connections')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('keeps the other findings if it may not read the migrations', async () => {
    await database.query(`REVOKE ALL ON migrations FROM ${role}`);
    await aProgram('reports', 'LOCK TABLE lists');

    const found = await examined({ DATABASE_URL: url });

    expect(found('locks')).toEqual([expect.stringContaining('locks lists')]);
    expect(found('schema')).toEqual([expect.stringMatching(/^fault .*(?:denied|exists)/)]);
    expect(found('schema').join('')).not.toContain('is the server running');
    expect(found('database')).toEqual([expect.stringMatching(/^ok /)]);
    expect(found('clock')).toEqual([expect.stringMatching(/^ok /)]);
  });
});
