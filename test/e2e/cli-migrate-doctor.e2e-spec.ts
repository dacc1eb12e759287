import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { aPooler } from '../support/pooler.js';
import { type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const STACK = /\n {4}at /;
const NAMES = MIGRATIONS.map(({ name }) => name);

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

let empty: TestDatabase;
let migrated: TestDatabase;
let workplace: Workplace;

beforeAll(async () => {
  [empty, migrated] = [await aDatabase({ isEmpty: true }), await aDatabase()];
  workplace = new Workplace({ DATABASE_URL: migrated.url });
});
afterAll(async () => {
  workplace.remove();
  await empty.drop();
  await migrated.drop();
});

describe('satchel migrate', () => {
  beforeEach(() => empty.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));

  const run = (...words: string[]) =>
    workplace.runHere(['migrate', ...words], { variables: { DATABASE_URL: empty.url } });
  const states = async (): Promise<string[]> =>
    (await run('status')).stdout.trimEnd().split('\n').slice(1);

  it('lists done and pending migrations in order for the command status', async () => {
    const before = await states();
    await run('run');
    await run('revert');

    const row = (name: string, state: string) =>
      expect.stringMatching(new RegExp(`^${name} +${state}$`));
    expect(before).toEqual(NAMES.map((name) => row(name, 'pending')));
    expect(await states()).toEqual(
      NAMES.map((name, at) => row(name, at === NAMES.length - 1 ? 'pending' : 'done')),
    );
  });

  it('prints an object for the command status with --json', async () => {
    const { stdout } = await run('status', '--json');

    expect(JSON.parse(stdout)).toEqual({ executed: [], pending: NAMES });
  });

  it('prints the migrations that it has run, or that there is nothing to do', async () => {
    const first = await run('run');
    const second = await run('run');

    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toMatch(/^done: CreateAccounts\d+, /);
    expect(second).toMatchObject({ code: 0, stdout: '', stderr: 'nothing to do\n' });
  });

  it('fails with --distributed citus without the extension, and prints how to create it', async () => {
    const { code, stdout, stderr } = await run('--distributed', 'citus');

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^satchel: this database has no Citus: .*CREATE EXTENSION citus/);
    expect(stderr).not.toMatch(STACK);
  });

  it('exits with 2 for an unknown engine and without a subcommand', async () => {
    expect(await run('--distributed', 'another')).toMatchObject({ code: 2, stdout: '' });
    expect(await run()).toMatchObject({ code: 2, stdout: '' });
  });

  it('exits with 1 if a migration fails, and prints only to standard error', async () => {
    await empty.query('CREATE TABLE users ()');

    const { code, stdout, stderr } = await run('run');

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('satchel: relation "users" already exists\n');
  });
});

describe('a database that cannot be reached', () => {
  const LIST = ['user', 'list'];

  it.each([
    ['a closed port', 'postgres://127.0.0.1:1/satchel', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['an unknown host', 'postgres://nowhere.invalid/satchel', 'ENOTFOUND nowhere.invalid'],
    ['no socket', 'postgres://satchel@%2Fnowhere/satchel', 'ENOENT'],
  ])('is reported in one sentence: %s', async (_, url, reason) => {
    const { code, stdout, stderr } = await workplace.runHere(LIST, {
      variables: { DATABASE_URL: url },
    });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^satchel: the database cannot be reached: .*\n$/);
    expect(stderr).toContain(reason);
  });

  it('is reported with each address of its host, and the process exits with 1', async () => {
    const lookup = join(workplace.directory, 'lookup.cjs');
    writeFileSync(
      lookup,
      `require('node:dns').lookup = (_host, _options, done) =>
         done(null, [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]);`,
    );

    const { code, stderr } = await workplace.run(['migrate', 'run'], {
      variables: {
        DATABASE_URL: 'postgres://localhost:1/satchel',
        NODE_OPTIONS: `--require=${lookup}`,
      },
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/127\.0\.0\.1:1.*127\.0\.0\.2:1/);
    expect(stderr).not.toMatch(STACK);
  });

  it('is reported without the password if the login fails', async () => {
    const url = Object.assign(new URL(migrated.url), { username: 'nobody', password: 'hunter2' });

    const { code, stderr } = await workplace.runHere(LIST, {
      variables: { DATABASE_URL: url.href },
    });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^satchel: the database cannot be reached: .*nobody.*\n$/);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('satchel doctor', () => {
  const doctor = async (variables: Variables) => {
    const answer = await workplace.runHere(['doctor', '--json'], { variables });
    return { ...answer, findings: JSON.parse(answer.stdout) as Finding[] };
  };
  const checksIn = (state: string, findings: Finding[]): string[] =>
    findings.filter((finding) => finding.state === state).map(({ check }) => check);
  const detailOf = (check: string, findings: Finding[]): string =>
    findings.find((finding) => finding.check === check)?.detail ?? '';

  /** The test server may run without autovacuum. */
  const autovacuum = async (): Promise<string> => {
    const [row] = await empty.query<{ autovacuum: string }>('SHOW autovacuum');
    return row!.autovacuum === 'on' ? 'ok' : 'warning';
  };

  it('reports no problem for a healthy installation', async () => {
    const found = await autovacuum();
    const { code, stdout, stderr } = await workplace.runHere(['doctor']);

    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(head).toMatch(/^check +state +detail$/);
    expect(lines.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual(
      'configuration,network,secrets,workers,mail,disk,database,locks,speed,writing,schema,backups,queues,pictures,second-factors,sessions,connections,encoding,autovacuum,clock'
        .split(',')
        .map((check) => `${check} ${check === 'autovacuum' ? found : 'ok'}`),
    );
  });

  it('reports every invalid variable without the values of secrets', async () => {
    const faulty = { PORT: 'http', JWT_SECRET: 'hunter2', LOG_LEVEL: 'loud' };

    const { code, stdout, stderr, findings } = await doctor(faulty);

    expect(code).toBe(1);
    expect(checksIn('fault', findings)).toEqual(findings.map(() => 'configuration'));
    expect(findings.map(({ detail }) => detail.split(':')[0]).toSorted()).toEqual(
      Object.keys(faulty).toSorted(),
    );
    expect(stderr).toBe('satchel: 3 of 3 checks failed\n');
    expect(stdout).not.toContain('hunter2');
  });

  it('reports an unreachable database, and continues with the other checks', async () => {
    const { code, findings } = await doctor({ DATABASE_URL: 'postgres://127.0.0.1:1/satchel' });

    expect(code).toBe(1);
    expect(checksIn('fault', findings)).toEqual(['database']);
    expect(findings.at(-1)?.detail).toContain('ECONNREFUSED');
    expect(checksIn('ok', findings)).toContain('disk');
  });

  it('reports a connection pooler in transaction mode', async () => {
    const pooler = await aPooler(migrated.url, 'transaction');

    const { code, findings } = await doctor({ DATABASE_URL: pooler.connection.url });

    await pooler.close();
    expect(code).toBe(1);
    expect(checksIn('fault', findings)).toEqual(['sessions']);
    expect(detailOf('sessions', findings)).toContain('set DATABASE_POOLER=transaction');
  });

  it('warns about too many connections and about a setting that is no longer used', async () => {
    const tooMany = { SATCHEL_WORKERS: '200', DATABASE_POOL_SIZE: '50' };
    const { code, findings } = await doctor({
      ...tooMany,
      DATABASE_REPLICA_URLS: 'postgres://b/a',
    });

    expect(code).toBe(0);
    expect(checksIn('warning', findings)).toContain('connections');
    expect(detailOf('connections', findings)).toContain('may open 10251,');
    expect(detailOf('settings', findings)).toMatch(/^DATABASE_REPLICA_URLS is no longer used: /);
    expect(detailOf('workers', findings)).toMatch(
      /^200 web workers, one for the background; cores that this process may use: [1-9]\d*$/,
    );
  });

  it('warns about a public HOST, a readable secrets file and pending migrations', async () => {
    const dataDirectory = join(workplace.directory, 'open');
    const file = join(dataDirectory, 'secrets.json');
    mkdirSync(dataDirectory);
    writeFileSync(file, JSON.stringify({ jwt: 'j'.repeat(32), session: 's'.repeat(32) }));
    chmodSync(file, 0o644);
    await empty.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

    const { code, findings } = await doctor({
      DATABASE_URL: empty.url,
      HOST: '0.0.0.0',
      DATA_DIR: dataDirectory,
    });

    expect(code).toBe(0);
    expect(checksIn('warning', findings)).toEqual([
      'network',
      'secrets',
      'schema',
      ...((await autovacuum()) === 'ok' ? [] : ['autovacuum']),
    ]);
  });
});

describe('the command line', () => {
  it.each([[['user', 'create', '--help']], [['help', 'consumer-key']]])(
    'prints its usage to standard output: %j',
    async (words) => {
      const { code, stdout, stderr } = await workplace.runHere(words);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: satchel /);
    },
  );

  it('exits with 0 for --help and with 2 for an unknown command', async () => {
    const [help, wrong] = await Promise.all([
      workplace.runHere(['--help']),
      workplace.run(['destroy']),
    ]);

    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: satchel /) });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  it('prints every invalid variable without a stack trace', async () => {
    const variables = { DATABASE_POOL_SIZE: 'many', BCRYPT_COST: '4' };

    const { code, stdout, stderr } = await workplace.runHere(['user', 'list'], { variables });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^satchel: The configuration has errors:\n {2}DATABASE_POOL_SIZE: .*/);
    expect(stderr).toContain('BCRYPT_COST: ');
    expect(stderr).not.toMatch(STACK);
  });

  it('reads .env, and environment variables take precedence', async () => {
    const elsewhere = new Workplace();
    writeFileSync(join(elsewhere.directory, '.env'), 'PORT=nonsense\nBCRYPT_COST=nonsense\n');

    const { stderr } = await elsewhere.run(['user', 'list'], { variables: { PORT: '3000' } });

    elsewhere.remove();
    expect(stderr).toContain('BCRYPT_COST: ');
    expect(stderr).not.toContain('PORT: ');
  });

  it('creates one pair of secrets if several first commands run at once', async () => {
    const dataDirectory = join(workplace.directory, 'fresh');

    const variables = { DATA_DIR: dataDirectory };
    const status = () => workplace.run(['migrate', 'status'], { variables });
    const first = await Promise.all([status(), status(), status()]);

    const kept = readFileSync(join(dataDirectory, 'secrets.json'), 'utf8');
    expect(first.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(readdirSync(dataDirectory)).toEqual(['secrets.json']);
    expect(Object.keys(JSON.parse(kept) as object)).toEqual(['jwt', 'session']);
  });
});
