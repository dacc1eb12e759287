import { Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const ID = /^\d+-[0-9a-f]{24}$/;
const SECRET = /^[0-9a-f]{40}$/;
const INSERT_USER = `INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', 'x')`;

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

const run = (...words: string[]) => workplace.runHere(['client', ...words]);

describe('satchel client', () => {
  it('creates a client for all users and prints its ID and its secret', async () => {
    const { code, stdout } = await run('create');

    const [id = '', secret = ''] = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(id.replace('client ID: ', '')).toMatch(ID);
    expect(secret.replace('client secret: ', '')).toMatch(SECRET);
    const rows = await database.query('SELECT * FROM consumer_keys');
    expect(rows).toEqual([
      expect.objectContaining({
        ...{ kind: 'client', name: 'wallabag app', owner_id: null },
        permissions: ['retrieve', 'add', 'modify'],
      }),
    ]);
  });

  it('creates a client for one user with fewer permissions, and lists both clients', async () => {
    await run('list');
    await database.query(INSERT_USER);

    const made = await run(
      ...['create', '--email', 'ADA@example.com', '--name', 'KOReader'],
      ...['--permissions', 'retrieve', '--json'],
    );
    const listed = await run('list', '--json');

    expect(JSON.parse(made.stdout)).toMatchObject({
      ...{ client_id: expect.stringMatching(ID), client_secret: expect.stringMatching(SECRET) },
      ...{ name: 'KOReader', permissions: ['retrieve'], user: 'ADA@example.com' },
    });
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({ name: 'wallabag app', user: 'all', state: 'enabled' }),
      expect.objectContaining({ name: 'KOReader', user: 'ada@example.com', state: 'enabled' }),
    ]);
    expect((await run('list')).stdout).toMatch(/KOReader +retrieve +ada@example\.com +enabled/);
  });

  it('disables, enables and deletes a client by its number or ID, but deletes no other key', async () => {
    const { client_id: clientId, id } = JSON.parse((await run('create', '--json')).stdout) as {
      client_id: string;
      id: string;
    };
    const key = await workplace.runHere([
      'consumer-key',
      'create',
      '--name',
      'Reader',
      '--permissions',
      'add',
    ]);
    const state = async (): Promise<string | undefined> =>
      (JSON.parse((await run('list', '--json')).stdout) as { id: string; state: string }[]).find(
        (client) => client.id === id,
      )?.state;

    expect(await run('disable', id)).toMatchObject({ code: 0, stderr: 'disabled\n' });
    expect(await state()).toBe('disabled');
    await run('enable', clientId);
    expect(await state()).toBe('enabled');
    await run('delete', clientId);
    expect(await state()).toBeUndefined();
    const [number = ''] = key.stdout.split('-');
    for (const reference of [id, '999', 'x', number, key.stdout.trim()]) {
      expect((await run('delete', reference)).code).toBe(1);
    }
    expect(
      await database.query('SELECT 1 FROM consumer_keys WHERE id = $1', [number]),
    ).toHaveLength(1);
  });

  it.each([
    [['create', '--permissions', 'read'], 2, /The permissions are/],
    [['create', '--name', ' '], 2, /A name has/],
    [['create', '--email', 'nowhere@example.com'], 1, /There is no user/],
    [['disable'], 2, /missing required argument/],
  ])('rejects %j', async (words, code, text) => {
    const answer = await run(...words);

    expect(answer.code).toBe(code);
    expect(answer.stderr).toMatch(text);
    expect(answer.stdout).toBe('');
  });
});
