import { createHash } from 'node:crypto';

import { Workplace } from '../support/processes.js';
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

describe('satchel extension-key', () => {
  it('prints the same key for concurrent calls, and stores its hash', async () => {
    const [one, other] = await Promise.all([
      workplace.run(['extension-key']),
      workplace.runHere(['extension-key']),
    ]);
    const again = await workplace.runHere(['extension-key', '--json']);

    const key = one.stdout.slice(0, -1);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(key).toMatch(/^extension-[0-9a-f]{24}$/);
    expect(other.stdout).toBe(one.stdout);
    expect(JSON.parse(again.stdout)).toEqual({
      key,
      id: expect.stringMatching(/^\d+$/),
      name: 'Satchel browser extension',
      permissions: ['retrieve', 'add', 'modify'],
      state: 'enabled',
    });
    expect(await database.query('SELECT key_hash FROM consumer_keys')).toEqual([
      { key_hash: createHash('sha256').update(key).digest() },
    ]);
  });

  it('prints how to enable a key that an administrator has disabled', async () => {
    const { key, id } = JSON.parse(
      (await workplace.runHere(['extension-key', '--json'])).stdout,
    ) as {
      key: string;
      id: string;
    };
    await workplace.runHere(['consumer-key', 'disable', key]);

    const { code, stdout, stderr } = await workplace.runHere(['extension-key']);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${key}\n` });
    expect(stderr).toContain(`consumer-key enable ${id}`);
    expect(await database.query('SELECT disabled_at FROM consumer_keys')).toEqual([
      { disabled_at: expect.any(Date) },
    ]);
  });
});
