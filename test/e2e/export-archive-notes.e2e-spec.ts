import { ArticlesService } from '../../src/articles/articles.service.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { Snapshots } from '../../src/reading-list/snapshots/snapshots.service.js';
import { binaryFiles } from '../support/binary-files.js';
import { exportCall } from '../support/export-call.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const HOSTILE = '</section><script>alert(1)</script> "&';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const exported = async (): Promise<ReadonlyMap<string, Buffer>> =>
  binaryFiles((await exportCall(app, api, { format: 'zip' }).expect(200)).body as Buffer);

const bodyOf = (files: ReadonlyMap<string, Buffer>, path: string) =>
  parseDocument(files.get(path)!.toString('utf8')).body;

const annotate = (itemId: string, id: string, quote: string) =>
  api.results({
    ...{ action: 'add_annotation', item_id: itemId },
    annotation: { annotation_id: id, quote, patch: '', note: `Why? ${HOSTILE}`, version: 2 },
  });

describe('the notes of a user in an archive', () => {
  it('are with the article, and the highlights are marked in its text', async () => {
    const itemId = await api.saved('https://example.com/read');
    await storeArticle(app.database, api.user.id, itemId, '<p>Plain and marked words.</p>');
    await annotate(itemId, 'first', 'marked words');
    await annotate(itemId, 'lost', 'words that were removed');
    await api.results({ action: 'set_note', item_id: itemId, note: `Mine ${HOSTILE}` });

    const files = await exported();

    const page = bodyOf(files, `articles/${itemId}.html`);
    expect([...page.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
      'marked words',
    ]);
    const target = page.querySelector('mark a')!.getAttribute('href')!;
    expect(page.querySelector(target)!.textContent).toContain('marked words');
    expect([...page.querySelectorAll('li blockquote')].map((one) => one.textContent)).toEqual([
      'marked words',
      'words that were removed',
    ]);
    expect([...page.querySelectorAll('.note')].map((one) => one.textContent)).toEqual([
      `Mine ${HOSTILE}`,
      `Why? ${HOSTILE}`,
      `Why? ${HOSTILE}`,
    ]);
    expect(page.querySelector('script')).toBeNull();
  });

  it('have a page if there is no article', async () => {
    const itemId = await api.saved('https://example.com/bare');
    await api.saved('https://example.com/without');
    await api.results({ action: 'set_note', item_id: itemId, note: 'Mine' });

    const files = await exported();

    const path = `articles/${itemId}.html`;
    expect([...files.keys()]).toEqual(['library.jsonl', path, 'index.html']);
    expect(bodyOf(files, path).textContent).toMatch(/No article[^]*Your note[^]*Mine/);
    const index = bodyOf(files, 'index.html');
    expect(index.querySelector(`.items h2 a[href="${path}"]`)).not.toBeNull();
    expect(index.textContent?.match(/No article/g)).toHaveLength(2);
  });
});

it('needs no queries for items without a fetched page, a snapshot or a highlight', async () => {
  const itemId = await api.saved('https://example.com/seen');
  await api.post('/v3/snapshot', { item_id: itemId, html: '<p>Words' }).expect(200);
  await api.saved('https://example.com/bare');
  const opened = jest.spyOn(app.app.get(ArticlesService, { strict: false }), 'stored');
  const searched = jest.spyOn(app.app.get(Snapshots, { strict: false }), 'ofItem');

  await exported();

  expect(opened).not.toHaveBeenCalled();
  expect(searched.mock.calls).toEqual([[api.user.id, itemId]]);
});

it('names the language of each title', async () => {
  const itemId = await api.saved('https://example.com/de', { title: 'Wörter' });
  await app.database.query(`UPDATE items SET lang = 'de' WHERE item_id = $1`, [itemId]);

  const index = bodyOf(await exported(), 'index.html');

  expect(index.querySelector('h2 bdi')!.getAttribute('lang')).toBe('de');
});
