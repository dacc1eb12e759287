import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { Workplace } from '../support/processes.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticles } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

let app: TestApp;
let api: ReadingListApi;
let workplace: Workplace;
let files = 0;

beforeAll(async () => {
  app = await aTestApp();
  workplace = new Workplace({ DATABASE_URL: app.database.url });
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  await api.saved('https://example.com/mine');
});

const run = (...words: string[]) => workplace.runHere(words);
const aPath = (): string => join(workplace.directory, `export-${(files += 1)}`);
const usersCalled = (email: string) =>
  app.database.query('SELECT id FROM users WHERE email = $1', [email]);
const unfinished = (): string[] =>
  readdirSync(workplace.directory).filter((name) => name.endsWith('.unfinished'));

describe('satchel export', () => {
  it('writes only the library to standard output', async () => {
    const words = ['export', '--user', api.user.email.toUpperCase()];

    const { code, stdout, stderr } = await workplace.run(words);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\{"satchel":1\}\n\{"url":"https:\/\/example.com\/mine",.*\}\n$/);
  });

  it('writes a new file', async () => {
    const path = aPath();

    const { code, stdout } = await run(
      ...['export', '--user', api.user.email, '--format', 'pocket-csv', path],
    );

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(Object.keys(await unzipped(readFileSync(path)))).toEqual(['part_000000.csv']);
    expect(unfinished()).toEqual([]);
  });

  it('reports the snapshots that the file does not contain', async () => {
    const path = aPath();
    const url = 'https://example.com/mine';
    await api.post('/v3/snapshot', { url, html: '<p>Words' }).expect(200);

    const { stderr } = await run('export', '--user', api.user.email, path);

    expect(stderr).toBe(
      `wrote ${path}\nthe export does not contain the snapshots (1): download them at /snapshots\n`,
    );
  });

  it('writes an archive with the snapshots', async () => {
    const path = aPath();
    const url = 'https://example.com/mine';
    await storeArticles(app.database, api.user.id);
    await api.post('/v3/snapshot', { url, html: '<p>Words' }).expect(200);

    const words = ['export', '--user', api.user.email, '--format', 'zip'];
    const { code, stderr } = await run(...words, path);

    expect({ code, stderr }).toEqual({ code: 0, stderr: `wrote ${path}\n` });
    expect(Object.keys(await unzipped(readFileSync(path)))).toEqual([
      'library.jsonl',
      expect.stringMatching(/^articles\/\d+\.html$/),
      expect.stringMatching(/^snapshots\/\d+-[\d-]{10}\.html$/),
      'index.html',
    ]);
    expect(unfinished()).toEqual([]);
  });

  it('writes an archive to standard output', async () => {
    await storeArticles(app.database, api.user.id);
    const words = ['dist/src/cli.js', 'export', '--user', api.user.email, '--format', 'zip'];

    const child = workplace.spawn(words[0]!, words.slice(1));
    const [archive, [code]] = await Promise.all([buffer(child.stdout!), once(child, 'close')]);

    expect(code).toBe(0);
    expect(Object.keys(await unzipped(archive))).toEqual([
      ...['library.jsonl', expect.stringMatching(/^articles\/\d+\.html$/), 'index.html'],
    ]);
  });

  it('replaces an existing file only with --force', async () => {
    const path = aPath();
    writeFileSync(path, 'precious');

    const refused = await run('export', '--user', api.user.email, path);
    const kept = readFileSync(path, 'utf8');
    const forced = await run('export', '--user', api.user.email, '--force', path);

    expect([refused.code, kept, forced.code]).toEqual([2, 'precious', 0]);
    expect(refused.stderr).toContain('is there already');
    expect(readFileSync(path, 'utf8')).toContain('{"satchel":1}');
  });

  it.each([
    ['a stranger', ['--user', 'nobody@example.com'], 1],
    ['an unknown format', ['--user', 'x@example.com', '--format', 'docx'], 2],
    ['nobody', [], 2],
  ])('fails for %s and creates no file', async (_, words, status) => {
    const path = aPath();

    const { code } = await run('export', ...words, path);

    expect(code).toBe(status);
    expect(existsSync(path)).toBe(false);
    expect(unfinished()).toEqual([]);
  });

  it('leaves no partial file if the database fails during the export', async () => {
    const path = aPath();
    await app.database.query('ALTER TABLE annotations RENAME TO gone');

    const { code } = await run('export', '--user', api.user.email, path);

    await app.database.query('ALTER TABLE gone RENAME TO annotations');
    expect(code).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(unfinished()).toEqual([]);
  });
});

describe('satchel user delete --export', () => {
  it('writes the library before it deletes the user', async () => {
    const path = aPath();

    const { code } = await run('user', 'delete', api.user.email, '--export', path);

    expect(code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('"url":"https://example.com/mine"');
    expect(await usersCalled(api.user.email)).toEqual([]);
  });

  it('deletes nothing if the file cannot be written', async () => {
    const there = aPath();
    writeFileSync(there, 'precious');

    for (const path of [there, join(workplace.directory, 'nowhere', 'file')]) {
      const { code } = await run('user', 'delete', api.user.email, '--export', path);

      expect(code).not.toBe(0);
    }
    expect((await usersCalled(api.user.email)).length).toBe(1);
    expect(readFileSync(there, 'utf8')).toBe('precious');
  });
});

describe('satchel export --format epub', () => {
  const bookAt = (path: string) => readEpub(readFileSync(path));

  it('writes a book of the unread items, newest first', async () => {
    await api.results(
      { action: 'add', url: 'https://example.com/newer', title: 'Newer', tags: 'rivers' },
      { action: 'add', url: 'https://example.com/done' },
      { action: 'archive', url: 'https://example.com/done' },
    );
    await storeArticles(app.database, api.user.id);
    const path = aPath();

    const words = ['export', '--user', api.user.email, '--format', 'epub', path];
    const { code, stderr } = await run(...words);

    expect({ code, stderr }).toEqual({ code: 0, stderr: `wrote ${path}\n` });
    const { title, contents } = await bookAt(path);
    expect(title).toBe('Satchel: unread');
    expect(contents).toEqual(['Newer', expect.stringContaining('mine')]);
    expect((await run(...words)).code).toBe(2);
    await run(...words, '--force', '--tag', 'rivers', '--state', 'all');
    expect((await bookAt(path)).contents).toEqual(['Newer']);
  });

  it.each([
    [['--state', 'odd']],
    [['--tag', 'x'.repeat(300)]],
    [['--format', 'jsonl', '--tag', 'x']],
  ])('rejects the options %j', async (words) => {
    const path = aPath();

    const all = ['export', '--user', api.user.email, '--format', 'epub', ...words, path];
    expect((await run(...all)).code).toBe(2);

    expect(existsSync(path)).toBe(false);
  });
});
