import { type ZipPart } from '../support/a-zip.js';
import { aZip } from '../support/a-zip.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

async function aPerson(): Promise<{ api: ReadingListApi; imports: ImportApi }> {
  const api = await ReadingListApi.of(app);
  return { api, imports: new ImportApi(app, api) };
}

const HEADER = 'title,url,time_added,tags,status';
const csv = (...rows: readonly string[]): string => [HEADER, ...rows].join('\n');
const PASSWORDS =
  'name,url,username,password,note\nbank,https://bank.example/,ada,hunter2,PIN 1234\n';

describe('the report of an import', () => {
  it('contains the format and the reason why the format was detected', async () => {
    const { imports } = await aPerson();

    expect(await imports.imported(csv('A,https://a.example/,1,,unread'))).toMatchObject({
      format: 'pocket-csv',
      format_reason: 'it has the columns `url`, `time_added`, `tags`, `status`',
      not_imported: [],
    });
  });

  it('names columns that have values and are not imported', async () => {
    const { imports } = await aPerson();

    const job = await imports.imported(
      'url,Summary,Empty\nhttps://a.example/,short,\nhttps://b.example/,long,\n',
    );

    expect(job).toMatchObject({
      added: 2,
      incomplete: 0,
      not_imported: [{ path: '', kind: 'column', name: 'Summary', rows: 2 }],
      not_imported_more: 0,
    });
    expect(await imports.remarks(job.id)).toEqual([
      ',,,not imported,Not imported: column `Summary` (2 rows),',
    ]);
  });

  it('names a key that is not imported, with its file in the archive', async () => {
    const { imports } = await aPerson();
    const wallabag = '[{"url":"https://a.example/","is_archived":1,"mood":"calm"}]';

    const job = await imports.imported(aZip([{ name: 'all.json', content: wallabag }]));

    expect(job.not_imported).toEqual([{ path: 'all.json', kind: 'key', name: 'mood', rows: 1 }]);
  });
});

describe('a file with passwords', () => {
  const storedTexts = async (userId: string): Promise<string> => {
    const tables = await Promise.all([
      app.database.query(`SELECT i::text AS row FROM items i WHERE user_id = ${userId}`),
      app.database.query(`SELECT i::text AS row FROM imports i WHERE user_id = ${userId}`),
      app.database.query(
        `SELECT c::text AS row FROM import_chunks c JOIN imports ON id = import_id WHERE user_id = ${userId}`,
      ),
      app.database.query(
        `SELECT r::text AS row FROM import_remarks r JOIN imports ON id = import_id WHERE user_id = ${userId}`,
      ),
    ]);
    return JSON.stringify(tables);
  };
  const SECRETS = ['hunter2', 'PIN 1234', 'bank.example', Buffer.from('hunter2').toString('hex')];

  it('is rejected, and none of its content is stored', async () => {
    const { api, imports } = await aPerson();

    const job = await imports.imported(PASSWORDS);

    expect(job).toMatchObject({ state: 'failed', added: 0 });
    expect(job.failure).toContain('contains passwords');
    const stored = await storedTexts(api.user.id);
    expect(SECRETS.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  it('is skipped in an archive, with a row error that names it', async () => {
    const { api, imports } = await aPerson();
    const parts: ZipPart[] = [
      { name: 'Passwords.csv', content: PASSWORDS },
      { name: 'links.csv', content: csv('A,https://a.example/,1,,unread') },
    ];

    const job = await imports.imported(aZip(parts));

    expect(job).toMatchObject({ state: 'done', format: 'pocket-zip', added: 1, refused: 1 });
    expect(await imports.remarks(job.id)).toEqual([
      expect.stringMatching(/Passwords\.csv,1,refused,.*contains passwords/),
    ]);
    const stored = await storedTexts(api.user.id);
    expect(SECRETS.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  it('is rejected for the same reason if it is the only file of an archive', async () => {
    const { imports } = await aPerson();

    const job = await imports.imported(aZip([{ name: 'Passwords.csv', content: PASSWORDS }]));

    expect(job).toMatchObject({ state: 'failed', failure: expect.stringContaining('passwords') });
  });
});

describe('rows of the same page', () => {
  const OLD = 'Old title,http://www.dup.example/a/,1300000000,one,archive';
  const NEW = 'New title,https://dup.example/a?utm_source=x,1600000000,Two,unread';
  const NEWEST = ',https://dup.example/a#top,1650000000,,archive';
  const MERGED = [
    expect.stringMatching(
      /^2,,3,merged,"The same page as line 2, http:\/\/www\.dup\.example\/a\/: .*",https:\/\/dup\.example\/a\?utm_source=x$/,
    ),
    expect.stringMatching(/^3,,4,merged,.*line 2, http.*,https:\/\/dup\.example\/a#top$/),
  ];

  it('become one item with the address and title of the first row, and are reported as merged', async () => {
    const { api, imports } = await aPerson();

    const job = await imports.imported(csv(OLD, NEW, NEWEST));

    expect(job).toMatchObject({ added: 1, changed: 2, merged: 2, refused: 0, incomplete: 0 });
    expect(await imports.remarks(job.id)).toEqual(MERGED);
    const [item, ...others] = await api.items({ state: 'all', detailType: 'complete' });
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      given_url: 'http://www.dup.example/a/',
      given_title: 'Old title',
      status: '1',
    });
    expect(tagsOf(item)).toEqual(['Two', 'one']);
  });

  it('are reported again when the same file is imported again', async () => {
    const { imports } = await aPerson();
    await imports.imported(csv(OLD, NEW, NEWEST));

    const again = await imports.imported(csv(OLD, NEW, NEWEST));

    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 3, merged: 2 });
    expect(await imports.remarks(again.id)).toEqual(MERGED);
  });

  it('are reported if they are in different batches and files', async () => {
    const { api, imports } = await aPerson();
    const others = Array.from({ length: 250 }, (_, n) => `,https://example.com/${n},9,,unread`);
    const parts = [
      { name: 'part_0.csv', content: csv(OLD, ...others) },
      { name: 'part_1.csv', content: csv(NEW) },
    ];

    const job = await imports.imported(aZip(parts));

    expect(job).toMatchObject({ added: 251, changed: 1, merged: 1 });
    expect(await imports.remarks(job.id)).toEqual([
      expect.stringMatching(
        /^252,part_1\.csv,2,merged,"The same page as line 2 of part_0\.csv, http/,
      ),
    ]);
    const [item] = await api.items({ state: 'all', domain: 'dup.example' });
    expect(item).toMatchObject({ given_title: 'Old title' });
  });

  it('are not reported for highlights of an item from another file', async () => {
    const { imports } = await aPerson();
    const highlights = [
      { url: 'http://www.dup.example/a/', title: 'x', highlights: [{ quote: 'words' }] },
    ];
    const parts = [
      { name: 'part_0.csv', content: csv(OLD) },
      { name: 'annotations/part_0.json', content: JSON.stringify(highlights) },
    ];

    const job = await imports.imported(aZip(parts));

    expect(job).toMatchObject({ added: 1, changed: 1, merged: 0 });
    expect(await imports.remarks(job.id)).toEqual([]);
  });
});
