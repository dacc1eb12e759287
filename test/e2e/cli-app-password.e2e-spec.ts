import { AccountApi, type SignedIn } from '../support/account-api.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { Workplace } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: SignedIn;
let workplace: Workplace;

beforeAll(async () => {
  app = await aTestApp();
  workplace = new Workplace({ DATABASE_URL: app.database.url });
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});
beforeEach(async () => {
  ada = await new AccountApi(app).signedIn();
});

const run = (...words: string[]) => workplace.runHere(['user', 'app-password', ...words]);

const listed = async ({ email }: SignedIn): Promise<{ id: string; name: string }[]> =>
  JSON.parse((await run('list', email, '--json')).stdout) as { id: string; name: string }[];

/** Returns a catalog reader with this password. */
const readerWith = async (password: string): Promise<CatalogueReader> =>
  (await CatalogueReader.of(app, ada)).with({ password });

describe('satchel user app-password', () => {
  it('creates a password for the catalog, prints it only once, and revokes it', async () => {
    const made = await run('create', ada.email.toUpperCase(), '--name', 'Kobo');
    const password = made.stdout.trim();
    const reader = await readerWith(password);

    expect(password).toMatch(/^[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4}){3}$/);
    await reader.get('/opds').expect(200);
    await reader.get('/opds/mark').expect(403);
    const text = await run('list', ada.email);
    expect(text.stdout).toMatch(/Kobo +retrieve +enabled/);
    expect(text.stdout).not.toContain(password);

    const [, kobo] = (await listed(ada)).toReversed();
    expect(await run('revoke', ada.email, kobo!.id)).toMatchObject({
      ...{ code: 0, stderr: 'revoked\n' },
    });
    await reader.get('/opds').expect(401);
  });

  it('grants the permissions of --permissions, and prints them as JSON', async () => {
    const made = await run('create', ada.email, '--permissions', 'retrieve,modify', '--json');

    const shown = JSON.parse(made.stdout) as { password: string };
    expect(shown).toMatchObject({
      ...{ user: ada.email, name: 'E-reader', permissions: ['retrieve', 'modify'] },
    });
    expect(await listed(ada)).toEqual([
      {
        ...{ id: expect.stringMatching(/^\d+$/), name: 'E-reader', loginName: '' },
        state: 'enabled',
        ...{ permissions: ['retrieve', 'modify'], lastUsed: 'never', expires: 'never' },
        created: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    await (await readerWith(shown.password)).get('/opds/mark').expect(200);
  });

  it('creates a password with a login name, and rejects a taken or invalid login name', async () => {
    const name = ['--login-name', 'Tt_RSS'];
    const made = await run('create', ada.email, ...name, '--permissions', 'add', '--json');
    const taken = await run('create', ada.email, '--login-name', 'tt_rss');
    const invalid = await run('create', ada.email, '--login-name', 'a@b');

    expect(JSON.parse(made.stdout)).toMatchObject({ name: 'E-reader', loginName: 'Tt_RSS' });
    expect([taken.code, invalid.code]).toEqual([1, 1]);
    expect(taken.stderr).toContain('This login name is taken');
    expect(invalid.stderr).toContain('Use 1 to 64 letters');
    expect(await listed(ada)).toMatchObject([{ loginName: 'tt_rss' }]);
    expect((await run('list', ada.email)).stdout).toMatch(/login name.*\n.*E-reader +tt_rss +add/);
  });

  it('does not revoke a password of another user or another kind of key', async () => {
    const eve = await new AccountApi(app).signedIn();
    await run('create', eve.email, '--name', 'Eve');
    const [theirs] = await listed(eve);
    await workplace.runHere(['client', 'create', '--email', ada.email]);
    const [client] = await app.database.query<{ id: string }>(
      'SELECT id FROM consumer_keys WHERE owner_id = $1',
      [ada.id],
    );

    for (const id of [theirs!.id, client!.id, '0', 'x', '9'.repeat(30)]) {
      expect((await run('revoke', ada.email, id)).code).toBe(1);
    }
    expect(await listed(eve)).toHaveLength(1);
    expect(await listed(ada)).toEqual([]);
  });

  it.each([
    [['create', 'nowhere@example.com'], 1, /There is no user/],
    [['create'], 2, /missing required argument/],
    [['create', 'a@example.com', '--permissions', 'read'], 2, /The permissions are/],
    [['list', 'nowhere@example.com'], 1, /There is no user/],
  ])('rejects %j', async (words, code, text) => {
    const answer = await run(...words);

    expect([answer.code, answer.stdout]).toEqual([code, '']);
    expect(answer.stderr).toMatch(text);
  });
});
