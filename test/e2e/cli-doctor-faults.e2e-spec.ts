import pg from 'pg';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { Clock } from '../../src/platform/common/clock.js';
import { aDatabaseProxy } from '../support/database-proxy.js';
import { MailServer } from '../support/mail-server.js';
import { until, type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let workplace: Workplace;

beforeAll(async () => {
  database = await aDatabase();
  workplace = new Workplace({ DATABASE_URL: database.url });
});
afterAll(async () => {
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

/** Another program, in a transaction that has run the statements. */
async function holding(
  ...statements: string[]
): Promise<{ pid: number; end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'reports' });
  await client.connect();
  await client.query('BEGIN');
  for (const statement of statements) {
    await client.query(statement);
  }
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return { pid: rows[0]!.pid, end: () => client.end() };
}

describe('the locks that satchel doctor reports', () => {
  it('are those of a program that has locked a table, and the other checks run', async () => {
    const { pid, end } = await holding('LOCK TABLE lists');

    const found = await examined();

    await end();
    expect(found('locks')).toEqual([
      expect.stringMatching(
        `^fault application "reports" \\(role ".+", pid ${pid}\\) has a transaction of \\d+ s \\(idle in transaction\\), locks lists\\. To end it, run SELECT pg_terminate_backend\\(${pid}\\)$`,
      ),
    ]);
    expect(found('clock')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('are those of a program for whose changed row another session waits', async () => {
    await database.query(`INSERT INTO call_counters VALUES ('a', 1, 1, 1, now())`);
    const { pid, end } = await holding('UPDATE call_counters SET taken = 2');
    const waiting = new pg.Client({ connectionString: database.url });
    await waiting.connect();
    const waited = waiting.query('UPDATE call_counters SET taken = 3');
    const isWaiting = async (): Promise<boolean> =>
      (await database.query('SELECT FROM pg_locks WHERE NOT granted')).length > 0;
    await until(isWaiting);

    const found = await examined();

    await end();
    await waited;
    await waiting.end();
    await database.query('DELETE FROM call_counters');
    expect(found('locks')).toEqual([
      expect.stringMatching(`pid ${pid}\\) .*, blocks 1 session\\. To end it`),
    ]);
  });

  it('do not stop the command if the table of the migrations is locked', async () => {
    const { end } = await holding('LOCK TABLE migrations');

    const found = await examined();

    await end();
    expect(found('locks')).toEqual([expect.stringContaining('locks migrations')]);
    expect(found('schema')).toEqual([
      'warning not checked, because the table migrations is locked',
    ]);
    expect(found('queues')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('let one check fail, and not the others', async () => {
    const { end } = await holding('LOCK TABLE imports');

    const found = await examined();

    await end();
    expect(found('queues')).toEqual(['warning not checked, because the table imports is locked']);
    expect(found('clock')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('are a warning if a migration of Satchel may hold them', async () => {
    const { end } = await holding(
      `SET LOCAL application_name = 'satchel-direct'`,
      'LOCK TABLE lists',
    );

    const found = await examined();

    await end();
    expect(found('locks')).toEqual([
      expect.stringMatching(
        /^warning .*\. If no migration, restore or backup of Satchel is running, run /,
      ),
    ]);
  });
});

describe('a database that satchel doctor finds', () => {
  const FULL =
    'fault the disk of the database is full: free space on it, and the service continues';
  /** A function with the error that PostgreSQL reports when it cannot extend a file. */
  const refuse = (signature: string) => `
    CREATE FUNCTION ${signature} LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END $$`;
  const beforeWrites = (name: string) =>
    database.query(
      `CREATE TRIGGER hinder BEFORE INSERT ON call_counters FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
    );

  it('is full if a table cannot grow', async () => {
    await database.query(refuse('hinder() RETURNS trigger'));
    await beforeWrites('hinder');

    const found = await examined();

    await database.query('DROP FUNCTION hinder CASCADE');
    expect(found('writing')).toEqual([FULL]);
  });

  it('is full if a temporary file cannot grow', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(refuse('generate_series(integer, integer) RETURNS SETOF integer'));
    await database.query(`ALTER DATABASE "${name}" SET search_path = public, pg_catalog`);

    const found = await examined();

    await database.query(`ALTER DATABASE "${name}" RESET search_path`);
    await database.query('DROP FUNCTION public.generate_series');
    expect(found('writing')).toEqual([FULL]);
  });

  it('stores changes slowly', async () => {
    await database.query(`
      CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END $$`);
    await beforeWrites('wait_long');

    const found = await examined();

    await database.query('DROP FUNCTION wait_long CASCADE');
    expect(found('writing')).toEqual([
      expect.stringMatching(/^warning the database stores a change in \d+ ms: check the load/),
    ]);
  });

  it('stores nothing of the checks', async () => {
    await examined();

    expect(await database.query('SELECT FROM call_counters')).toEqual([]);
  });

  it('is behind a slow network', async () => {
    const proxy = await aDatabaseProxy(database.url, { delayMs: () => 40 });
    proxy.become('slow');

    const found = await examined({ DATABASE_URL: proxy.url });

    await proxy.close();
    expect(found('speed')).toEqual([
      expect.stringMatching(/^warning the database answers .* in \d+\.\d ms: check the network/),
    ]);
  });

  it('has another time', async () => {
    const clock = jest
      .spyOn(Clock.prototype, 'now')
      .mockReturnValue(new Date(Date.now() - 3600_000));

    const found = await examined();

    clock.mockRestore();
    expect(found('clock')).toEqual([expect.stringMatching(/^warning 3\d{3}\.\d s .*\(NTP\)$/)]);
  });
});

describe('the mail server', () => {
  const mail = (url: string) => ({
    SMTP_URL: url,
    MAIL_FROM: 'satchel@example.com',
    PUBLIC_URL: 'http://127.0.0.1:3000',
  });

  it('is reported to answer, and receives no mail', async () => {
    const server = await MailServer.begin();

    const found = await examined(mail(`smtp://127.0.0.1:${server.port}`));

    await server.close();
    expect(found('mail')).toEqual([expect.stringMatching(/^ok 127\.0\.0\.1:\d+ answers; /)]);
    expect(server.attempts).toBe(0);
  });

  it('is reported if it does not listen', async () => {
    const found = await examined(mail('smtp://127.0.0.1:1'));

    expect(found('mail')).toEqual([
      expect.stringMatching(
        /^fault 127\.0\.0\.1:1: .*ECONNREFUSED.*Check host and port of SMTP_URL/,
      ),
    ]);
    expect(found('clock')).toEqual([expect.stringMatching(/^ok /)]);
  });

  it('is reported without the password if it rejects the login', async () => {
    const server = await MailServer.begin({ user: 'ada', password: 'right' });

    const found = await examined(mail(`smtp://ada:hunter2@127.0.0.1:${server.port}`));

    await server.close();
    expect(found('mail')).toEqual([
      expect.stringMatching(
        /^fault 127\.0\.0\.1:\d+: .*rejects the login.*Check user and password/,
      ),
    ]);
    expect(found('mail').join('')).not.toContain('hunter2');
  });
});
