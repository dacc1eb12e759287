import { existsSync, readdirSync } from 'node:fs';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { type Variables, Workplace } from '../support/processes.js';
import { aDatabase } from '../support/test-database.js';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});
afterEach(() => {
  workplace.remove();
});

async function doctor(variables: Variables = {}): Promise<{ code: number; findings: Finding[] }> {
  const { code, stdout } = await workplace.runHere(['doctor', '--json'], { variables });
  return { code: code ?? -1, findings: JSON.parse(stdout) as Finding[] };
}

const faultsIn = (findings: Finding[]): Finding[] =>
  findings.filter(({ state }) => state === 'fault');

describe('satchel doctor in a folder without an installation', () => {
  it('names the folder, and creates nothing', async () => {
    const { code, findings } = await doctor();

    expect(code).toBe(1);
    expect(faultsIn(findings)).toEqual([
      {
        check: 'database',
        state: 'fault',
        detail: expect.stringContaining(`${workplace.dataDirectory} contains no database`),
      },
    ]);
    expect(findings.map(({ check }) => check)).toContain('disk');
    expect(existsSync(workplace.dataDirectory)).toBe(false);
    expect(readdirSync(workplace.directory)).toEqual([]);
  });

  it('creates no secrets for a database at DATABASE_URL either', async () => {
    const database = await aDatabase();

    const { findings } = await doctor({ DATABASE_URL: database.url });

    await database.drop();
    expect(findings).toContainEqual({
      check: 'secrets',
      state: 'ok',
      detail: expect.stringMatching(/^not created yet: .*secrets\.json$/),
    });
    expect(existsSync(workplace.dataDirectory)).toBe(false);
  });
});

it('satchel doctor says how to leave a standby', async () => {
  const database = await aDatabase();
  const name = new URL(database.url).pathname.slice(1);
  // What a new session sees on a standby.
  await database.query(`CREATE SCHEMA standby; CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean
    LANGUAGE sql AS 'SELECT true'; ALTER DATABASE ${name} SET search_path = standby, pg_catalog, public`);

  const { code, findings } = await doctor({ DATABASE_URL: database.url });

  await database.drop();
  expect(code).toBe(1);
  expect(faultsIn(findings)).toEqual([
    {
      check: 'writing',
      state: 'fault',
      detail: expect.stringMatching(/ is a standby, .*: set DATABASE_URL to the primary server$/),
    },
  ]);
});

it('satchel doctor warns about a public HOST, unless a container publishes the port locally', async () => {
  const database = await aDatabase();

  const { findings } = await doctor({ DATABASE_URL: database.url, HOST: '0.0.0.0' });

  await database.drop();
  expect(findings).toContainEqual({
    check: 'network',
    state: 'warning',
    detail: expect.stringContaining('unless its port is published only locally'),
  });
});
