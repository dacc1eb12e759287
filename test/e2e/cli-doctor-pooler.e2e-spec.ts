import { aPooler, type Pooler } from '../support/pooler.js';
import { type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

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
  workplace = new Workplace();
});
afterAll(async () => {
  workplace.remove();
  await empty.drop();
  await migrated.drop();
});

async function doctor(variables: Variables): Promise<{ findings: Finding[] }> {
  const { stdout } = await workplace.runHere(['doctor', '--json'], { variables });
  return { findings: JSON.parse(stdout) as Finding[] };
}

const checksIn = (state: string, findings: Finding[]): string[] =>
  findings.filter((finding) => finding.state === state).map(({ check }) => check);
const detailOf = (check: string, findings: Finding[]): string =>
  findings.find((finding) => finding.check === check)?.detail ?? '';

describe('satchel doctor with DATABASE_POOLER', () => {
  let pooler: Pooler;
  let variables: Variables;

  beforeEach(async () => {
    pooler = await aPooler(migrated.url, 'transaction');
    variables = {
      ...{ DATABASE_URL: pooler.connection.url, DATABASE_DIRECT_URL: migrated.url },
      DATABASE_POOLER: 'transaction',
    };
  });
  afterEach(() => pooler.close());

  it('reports that sessions lack timeouts until "migrate run" has run', async () => {
    const before = await doctor(variables);
    const { code } = await workplace.runHere(['migrate', 'run'], { variables });
    const after = await doctor(variables);

    expect(checksIn('fault', before.findings)).toEqual(['sessions']);
    expect(detailOf('sessions', before.findings)).toMatch(
      / lack .*statement_timeout.* "migrate run"/,
    );
    expect(code).toBe(0);
    expect(checksIn('fault', after.findings)).toEqual([]);
  });

  it('reports a direct URL that is missing or points to another database', async () => {
    const missing = await doctor({ ...variables, DATABASE_DIRECT_URL: '' });
    const another = await doctor({ ...variables, DATABASE_DIRECT_URL: empty.url });

    expect(checksIn('fault', missing.findings)).toEqual(['configuration']);
    expect(checksIn('fault', another.findings)).toEqual(['sessions']);
    expect(detailOf('sessions', another.findings)).toMatch(/^DATABASE_DIRECT_URL leads to /);
  });

  it('reports that the pooler does not keep prepared statements', async () => {
    await workplace.runHere(['migrate', 'run'], { variables });

    const { findings } = await doctor({ ...variables, DATABASE_POOLER: 'transaction-prepared' });

    expect(detailOf('sessions', findings)).toMatch(/does not keep prepared statements: set /);
  });
});
