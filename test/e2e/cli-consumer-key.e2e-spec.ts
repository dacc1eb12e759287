import { createHash } from 'node:crypto';

import { Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const KEY = /^\d+-[0-9a-f]{24}$/;
/** Characters that could control a terminal. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const HOSTILE = 'Evil\u001b[2J\u001b]0;x\u0007\u009b\r\n\u202eReader';
const CREATE = ['create', '--name', 'Reader', '--permissions', 'retrieve,add'];

interface Row {
  readonly id: string;
  readonly name: string;
  readonly permissions: string[];
  readonly dialect: string;
  readonly disabled_at: Date | null;
  readonly key_hash: Buffer;
}

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

const run = (...words: string[]) => workplace.runHere(['consumer-key', ...words]);
/** Runs the command in a separate process. */
const runApart = (...words: string[]) => workplace.run(['consumer-key', ...words]);

/** Creates a key through the command itself. */
async function aKey(...words: string[]): Promise<{ key: string; id: string }> {
  const key = (await run(...CREATE, ...words)).stdout.trim();
  return { key, id: key.split('-')[0] ?? '' };
}

const rowOf = async (id: string): Promise<Row | undefined> =>
  (await database.query<Row>('SELECT * FROM consumer_keys WHERE id = $1', [id]))[0];

describe('satchel consumer-key create', () => {
  it('prints only the key and stores its hash', async () => {
    const { code, stdout, stderr } = await runApart(...CREATE);

    const key = stdout.slice(0, -1);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`${key}\n`);
    expect(key).toMatch(KEY);
    expect(await rowOf(key.split('-')[0] ?? '')).toMatchObject({
      name: 'Reader',
      permissions: ['retrieve', 'add'],
      dialect: 'standard',
      disabled_at: null,
      key_hash: createHash('sha256').update(key).digest(),
    });
  });

  it('prints an object with --json', async () => {
    const { stdout } = await run(...CREATE, '--dialect', 'classic', '--json');

    expect(JSON.parse(stdout)).toEqual({
      key: expect.stringMatching(KEY),
      id: expect.stringMatching(/^\d+$/),
      name: 'Reader',
      permissions: ['retrieve', 'add'],
      dialect: 'classic',
      maxCount: 'default',
      state: 'enabled',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expires: 'never',
    });
  });

  it.each([
    ['all', { max_count: 5000, default_count: 5000 }],
    ['5000', { max_count: 5000, default_count: null }],
    ['default', { max_count: null, default_count: null }],
  ])('accepts the page size %s', async (maxCount, stored) => {
    const { stdout } = await run(...CREATE, '--max-count', maxCount, '--json');

    const made = JSON.parse(stdout) as { id: string; maxCount: unknown };
    expect(String(made.maxCount)).toBe(maxCount);
    expect(await rowOf(made.id)).toMatchObject(stored);
  });

  it('creates a different key each time, also in concurrent runs', async () => {
    const made = await Promise.all([runApart(...CREATE), run(...CREATE), run(...CREATE)]);

    const keys = made.map(({ stdout }) => stdout.trim().split('-'));
    expect(new Set(keys.map(([id]) => id)).size).toBe(3);
    expect(new Set(keys.map(([, digits]) => digits)).size).toBe(3);
  });
});

describe('satchel consumer-key create --key', () => {
  const COMPILED_IN = 'Compiled-in-0123456789';

  it('creates a key with the given value once, and other commands find the key by its value', async () => {
    const made = await run(...CREATE, '--key', COMPILED_IN, '--json');
    const again = await run(...CREATE, '--key', COMPILED_IN);

    const { key, id } = JSON.parse(made.stdout) as { key: string; id: string };
    expect(key).toBe(COMPILED_IN);
    expect(await rowOf(id)).toMatchObject({
      ...{ name: 'Reader', disabled_at: null },
      key_hash: createHash('sha256').update(COMPILED_IN).digest(),
    });
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('is there already');
    expect((await run('disable', COMPILED_IN)).code).toBe(0);
    expect((await rowOf(id))?.disabled_at).toBeInstanceOf(Date);
  });

  it('rejects a key that could be the id of another key', async () => {
    expect((await run(...CREATE, '--key', '12345678')).code).not.toBe(0);
  });
});

describe('satchel consumer-key list', () => {
  it('prints a table without control characters and without keys', async () => {
    const { key, id } = await aKey('--name', HOSTILE);

    const { code, stdout } = await run('list');

    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(/^id +name +permissions +dialect +max-count +state +created +expires$/);
    expect(lines.filter((line) => line.startsWith(`${id} `))).toEqual([
      expect.stringMatching(/Evil\uFFFD.*Reader +retrieve,add +standard +default +enabled +\d{4}-/),
    ]);
    expect(stdout).not.toMatch(CONTROL);
    expect(stdout).not.toContain(key.split('-')[1]);
  });

  it('prints an array with --json', async () => {
    const { key, id } = await aKey('--name', HOSTILE);

    const { stdout } = await run('list', '--json');

    expect(JSON.parse(stdout)).toContainEqual({
      id,
      name: HOSTILE,
      permissions: ['retrieve', 'add'],
      dialect: 'standard',
      maxCount: 'default',
      state: 'enabled',
      created: expect.any(String),
      expires: 'never',
    });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout).not.toContain(key.split('-')[1]);
  });
});

describe('satchel consumer-key list --personal', () => {
  it('prints the personal keys with their owners, which the list without --personal omits', async () => {
    const { id } = await aKey('--name', HOSTILE);
    await database.query(
      `WITH ada AS (INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '-') RETURNING id)
       UPDATE consumer_keys SET owner_id = (SELECT id FROM ada) WHERE id = $1`,
      [id],
    );

    const applications = await run('list', '--json');
    const personal = await run('list', '--personal', '--json');
    const table = await run('list', '--personal');

    expect(JSON.parse(applications.stdout)).not.toContainEqual(expect.objectContaining({ id }));
    expect(JSON.parse(personal.stdout)).toEqual([
      expect.objectContaining({ id, name: HOSTILE, owner: 'ada@example.com' }),
    ]);
    expect(table.stdout).toMatch(
      /^id .*created +expires +owner\n\d+ +Evil.*Z +never +ada@example\.com\n$/,
    );
    expect(table.stdout).not.toMatch(CONTROL);
  });
});

describe('satchel consumer-key update', () => {
  it('changes only the given fields', async () => {
    const { id, key } = await aKey();

    const { code, stdout } = await run('update', id, '--permissions', 'modify');
    await run('update', key, '--name', 'Writer', '--dialect', 'classic');

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(await rowOf(id)).toMatchObject({
      name: 'Writer',
      permissions: ['modify'],
      dialect: 'classic',
      disabled_at: null,
    });
  });
});

describe('satchel consumer-key update --max-count', () => {
  it('changes the page size and resets it to the default', async () => {
    const { id } = await aKey('--max-count', 'all');
    const sizes: unknown[] = [];
    for (const maxCount of ['100', 'default']) {
      await run('update', id, '--max-count', maxCount);
      sizes.push(await rowOf(id));
    }

    expect(sizes).toEqual([
      expect.objectContaining({ name: 'Reader', max_count: 100, default_count: null }),
      expect.objectContaining({ name: 'Reader', max_count: null, default_count: null }),
    ]);
  });
});

describe('satchel consumer-key disable, enable and delete', () => {
  it.each([
    ['its id', 'id'],
    ['the key', 'key'],
  ] as const)('find a key by %s', async (_, by) => {
    const made = await aKey();
    const states: unknown[] = [];
    const look = async (): Promise<void> => {
      states.push((await rowOf(made.id))?.disabled_at);
    };

    for (const verb of ['disable', 'enable', 'delete']) {
      expect(await run(verb, made[by])).toMatchObject({ code: 0, stdout: '' });
      await look();
    }

    expect(states).toEqual([expect.any(Date), null, undefined]);
  });

  it.each(['disable', 'enable', 'delete'])('leave other keys unchanged: %s', async (verb) => {
    const [one, other] = await Promise.all([aKey(), aKey()]);

    await run(verb, one.id);

    expect(await rowOf(other.id)).toMatchObject({ disabled_at: null });
  });
});

describe('a key that does not exist', () => {
  it.each([
    ['disable', 'an id', '999999'],
    ['enable', 'an id out of range', '9'.repeat(18)],
    ['delete', 'a key', '999999-0123456789abcdef01234567'],
    ['delete', 'nonsense', "1' OR '1'='1"],
  ])('makes %s of %s fail with an error without the key', async (verb, _, reference) => {
    const { code, stdout, stderr } = await run(verb, reference);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const shown = reference.split('-')[0] ?? '';
    expect(stderr).toBe(`satchel: There is no consumer key ${shown}.\n`);
  });

  it('is not confused with an existing key that has the same id', async () => {
    const { id } = await aKey();

    const { code } = await run('delete', `${id}-0123456789abcdef01234567`);

    expect(code).toBe(1);
    expect(await rowOf(id)).toBeDefined();
  });
});

describe('an invalid command', () => {
  it.each([
    ['no permissions', ['create', '--name', 'Reader']],
    ['no name', ['create', '--permissions', 'add']],
    ['a blank name', ['create', '--name', '  ', '--permissions', 'add']],
    ['an unknown permission', ['create', '--name', 'Reader', '--permissions', 'add,fly']],
    ['an unknown dialect', [...CREATE, '--dialect', 'slang']],
    ...['0', '5001', '-1', '1e3', '30.5', 'many', ''].map((size) => [
      `the page size ${size}`,
      [...CREATE, '--max-count', size],
    ]),
    ['an unknown option', [...CREATE, '--admin']],
    ['nothing to update', ['update', '1']],
    ['no key to disable', ['disable']],
    ['a key too many', ['delete', '1', '2']],
  ])('with %s prints an error to stderr and exits with status 2', async (_, words) => {
    const { code, stdout, stderr } = await run(...words);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/\S/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('creates no key', async () => {
    const count = () => database.query('SELECT count(*) FROM consumer_keys');
    const before = await count();

    await run(...CREATE, '--dialect', 'slang');

    expect(await count()).toEqual(before);
  });
});
