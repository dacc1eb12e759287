import { incompressible } from '../support/a-full-list.js';
import { aZip } from '../support/a-zip.js';
import { binaryFiles } from '../support/binary-files.js';
import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PICTURE = 'https://example.com/picture.png';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

/** Returns an archive of two items, with an article that links to other pages, a picture and two snapshots. */
async function anArchive(): Promise<Buffer> {
  const itemId = await api.saved('https://example.com/read', { title: 'Read', tags: 'x,y' });
  await api.saved('https://example.com/bare');
  const article = '<p>Words with <a href="https://example.com/linked">a link</a></p>';
  await storeArticle(app.database, api.user.id, itemId, article);
  await app.database.query(
    `UPDATE pages SET content = jsonb_set(content::jsonb, '{item,media,images}', $1::jsonb)`,
    [JSON.stringify([{ src: PICTURE, width: 0, height: 0, credit: '', caption: '' }])],
  );
  await app.database.query(
    `INSERT INTO pictures (url_key, url, host, image) VALUES (sha256(convert_to($1, 'UTF8')), $1, 'example.com', $2)
     ON CONFLICT DO NOTHING`,
    [PICTURE, Buffer.from([0x89, 1, 2, 3])],
  );
  for (const html of ['<a href="https://example.com/seen">', incompressible(200)]) {
    await api.post('/v3/snapshot', { item_id: itemId, html }).expect(200);
  }
  return (await exportCall(app, api, { format: 'zip' }).expect(200)).body as Buffer;
}

const shown = async (whose: ReadingListApi): Promise<object[]> =>
  (await whose.items({ state: 'all', detailType: 'complete', sort: 'oldest' })).map(
    ({ given_url, given_title, tags, time_added }) => ({
      ...{ given_url, given_title, time_added },
      tags: Object.keys(tags ?? {}),
    }),
  );

describe('an exported archive that is imported', () => {
  it('restores the items of its list, and reports the pictures and snapshots', async () => {
    const archive = await anArchive();
    const names = [...(await binaryFiles(archive)).keys()];
    expect(names.filter((name) => /^(?:pictures|snapshots|articles)\//.test(name))).toHaveLength(4);
    const other = await ReadingListApi.of(app);
    const imports = new ImportApi(app, other);

    const job = await imports.imported(archive);

    expect(job).toMatchObject({
      ...{ state: 'done', format: 'satchel', added: 2, refused: 0, incomplete: 0, merged: 0 },
      not_imported: expect.arrayContaining([
        { path: '', kind: 'file', name: 'pictures/*.png', rows: 1 },
        { path: '', kind: 'file', name: 'snapshots/*.html', rows: 2 },
      ]),
    });
    expect(job.not_imported).toHaveLength(2);
    expect(await shown(other)).toEqual(await shown(api));
    expect((await imports.imported(archive)).added).toBe(0);
    expect(await shown(other)).toHaveLength(2);
  });

  it('imports a file that does not belong to the archive', async () => {
    const files = [...(await binaryFiles(await anArchive()))];
    const more = aZip([
      ...files.map(([name, content]) => ({ name, content })),
      { name: 'articles/more.txt', content: 'https://example.com/more\n' },
    ]);
    const other = await ReadingListApi.of(app);

    const job = await new ImportApi(app, other).imported(more);

    expect(job).toMatchObject({ added: 3, refused: 0 });
  });
});

describe('an archive of another service', () => {
  it('imports pages in folders with the names of folders of Satchel', async () => {
    const page =
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>';
    const other = await ReadingListApi.of(app);

    const job = await new ImportApi(app, other).imported(
      aZip(['articles/1.html', 'snapshots/1.html'].map((name) => ({ name, content: page }))),
    );

    expect(job).toMatchObject({ format: 'netscape', added: 1, merged: 1, not_imported: [] });
  });
});
