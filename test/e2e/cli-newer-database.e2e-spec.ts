import { installedVersion } from '../../src/lib/util/version.js';
import { Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const REFUSAL = `it was last migrated by Satchel 9.1.0, and this is Satchel ${installedVersion()}, which lacks the migration AddMore1999: install Satchel 9.1.0 or a newer version`;

let database: TestDatabase;
let workplace: Workplace;

beforeEach(async () => {
  database = await aDatabase();
  workplace = new Workplace({ DATABASE_URL: database.url });
});
afterEach(async () => {
  workplace.remove();
  await database.drop();
});

describe('a database that a newer version has migrated', () => {
  beforeEach(async () => {
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (2e12, 'AddMore1999')`);
    await database.query(`COMMENT ON TABLE migrations IS 'Last migrated by Satchel 9.1.0'`);
  });

  it.each([
    [['user', 'list']],
    [['migrate', 'run']],
    [['migrate', 'status']],
    [['migrate', 'revert']],
    [['backup', 'satchel.zip']],
  ])('is rejected by %j with a message that contains both versions', async (words) => {
    const { code, stderr } = await workplace.runHere(words);

    expect(code).toBe(1);
    expect(stderr).toContain(REFUSAL);
  });

  it('is reported as a fault by satchel doctor', async () => {
    const { code, stdout } = await workplace.runHere(['doctor', '--json']);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'schema',
      state: 'fault',
      detail: expect.stringContaining(REFUSAL),
    });
  });

  it('makes the service exit at startup', async () => {
    const child = workplace.spawn('dist/src/main.js', [], { PORT: '0' });
    let stderr = '';
    child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));

    const code = await new Promise((resolve) => child.once('close', resolve));

    expect(code).toBe(1);
    expect(stderr).toContain(REFUSAL);
  });
});

it('satchel doctor reports a missing column that prevents backups', async () => {
  await database.query('ALTER TABLE item_search DROP COLUMN title_key');

  const { code, stdout } = await workplace.runHere(['doctor', '--json']);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toContainEqual({
    check: 'schema',
    state: 'fault',
    detail:
      'the table item_search lacks title_key: no backup can be written until this is repaired',
  });
});
