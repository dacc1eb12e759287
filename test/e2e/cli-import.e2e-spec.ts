import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Workplace } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ROWS = [
  'title,url,time_added,tags,status',
  'A,https://example.com/a,1,x,archive',
  'B,https://example.com/b,2,,unread',
  'C,nowhere,3,,unread',
].join('\n');

let app: TestApp;
let api: ReadingListApi;
let workplace: Workplace;
let file: string;

beforeAll(async () => {
  app = await aTestApp();
  workplace = new Workplace({ DATABASE_URL: app.database.url });
  file = join(workplace.dataDirectory, '..', 'pocket.csv');
  writeFileSync(file, ROWS);
});
afterAll(async () => {
  workplace.remove();
  await app.close();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const run = (...words: string[]) =>
  workplace.runHere(['import', ...words, '--user', api.user.email]);

describe('satchel import', () => {
  it('imports a file, prints the row counts, and reports rejected rows with their line numbers', async () => {
    const { code, stdout, stderr } = await run(file);

    expect(code).toBe(0);
    expect(stdout).toMatch(/added +2\b[^]*refused +1\b/);
    expect(stderr).toMatch(/^line 4: It has no http or https address .* nowhere$/m);
    expect(await api.names({ state: 'all', sort: 'newest' })).toEqual(['b', 'a']);
  });

  it('prints JSON with --json, and changes nothing when the file is imported again', async () => {
    await run(file);
    const { since } = await api.found();

    const { stdout } = await run(file, '--json');

    expect(JSON.parse(stdout)).toEqual({
      ...{ added: 0, changed: 0, unchanged: 2, deleted: 0, refused: 1, incomplete: 0 },
      merged: 0,
    });
    expect((await api.found({ since })).list).toEqual({});
  });

  it('undoes an import with --undo, once', async () => {
    const { stderr } = await run(file);
    const [, id = ''] = /import (\d+)/.exec(stderr) ?? [];

    const undone = await run('--undo', id);
    expect(undone).toMatchObject({ code: 0 });
    expect(undone.stdout).toMatch(/removed +2\b[^]*kept +0\b/);
    expect(await api.names({ state: 'all' })).toEqual([]);

    const { stdout } = await run('--undo', id, '--json');
    expect(JSON.parse(stdout)).toEqual({ removed: 2, restored: 0, kept: 0, lists: 0 });
  });

  it('reports the columns that are not imported', async () => {
    const table = join(workplace.dataDirectory, '..', 'table.csv');
    writeFileSync(table, 'url,Summary\nhttps://example.com/a,short\n');

    const { stderr } = await run(table);

    expect(stderr).toContain('Not imported: column `Summary` (1 row)\n');
  });

  it.each([
    [['--folders', 'lists'], [['Research/Plants']], [{ name: 'Research/Plants' }]],
    [['--folders', 'tags'], [['Plants', 'Research']], []],
    [[], [['Plants', 'Research']], []],
  ])('turns folders into tags or lists: %j', async (words, tags, lists) => {
    const folders = join(workplace.dataDirectory, '..', 'raindrop.csv');
    writeFileSync(
      folders,
      'id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n' +
        '1,,,,https://example.com/a,Research / Plants,,,,,false\n',
    );

    expect((await run(folders, '--dry-run', ...words)).stdout).toMatch(/added +1\b/);
    expect((await run(folders, ...words)).code).toBe(0);

    const items = await api.items({ state: 'all', detailType: 'complete' });
    expect(items.map(tagsOf)).toEqual(tags);
    expect(
      await app.database.query('SELECT name FROM saved_lists WHERE user_id = $1', [api.user.id]),
    ).toEqual(lists);
  });

  it('prints the expected row counts with --dry-run, and changes nothing', async () => {
    await api.saved('https://example.com/b');

    const { code, stdout, stderr } = await run(file, '--dry-run');

    expect(code).toBe(0);
    expect(stdout).toMatch(/added +1\b[^]*unchanged +1\b[^]*refused +1\b/);
    expect(stderr).toBe(
      '3 rows of pocket-csv (it has the columns `url`, `time_added`, `tags`, `status`); nothing is changed\n',
    );
    expect(await api.names({ state: 'all' })).toEqual(['b']);
  });

  it.each([
    ['a file that is not there', ['/nowhere.csv'], 1, 'no such file'],
    ['no file', [], 2, 'give a file, or --resume'],
    ['an import of nobody', ['--undo', '99999'], 1, 'There is no such import'],
    ['--undo with another option', ['--undo', '1', '--folders', 'tags'], 2, '--undo goes on'],
    ['nothing to go on with', ['--resume'], 1, 'There is no unfinished import'],
    ['to go on only in part', ['--resume', '--dry-run'], 2, 'without other options'],
    ['to go on with folders', ['--resume', '--folders', 'lists'], 2, 'without other options'],
    [
      'another kind of folders',
      ['/a.csv', '--folders', 'piles'],
      2,
      'Allowed choices are tags, lists',
    ],
  ])('exits with an error for %s', async (_, words, status, reason) => {
    const { code, stdout, stderr } = await run(...words);

    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
    expect(stderr).toContain(reason);
  });

  it('prints the reason and exits with 1 if the file cannot be imported', async () => {
    const noise = join(workplace.dataDirectory, '..', 'noise');
    writeFileSync(noise, Buffer.from([0, 1, 2]));
    expect(existsSync(noise)).toBe(true);

    const { code, stderr } = await run(noise);

    expect(code).toBe(1);
    expect(stderr).toContain('no export that can be imported');
  });
});
