import { Permission } from '../../src/auth/consumers/permission.js';
import { CatalogueReader, textOf } from '../support/catalogue-reader.js';
import { until } from '../support/processes.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let reader: CatalogueReader;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  reader = await CatalogueReader.of(app, api.user);
});

const addition = (name: string): object => ({
  ...{ action: 'add', url: `https://example.com/${name}`, title: name },
});

const written = () =>
  until(async () => (await app.database.query('SELECT FROM due_texts')).length === 0);

describe('the OPDS search', () => {
  beforeEach(async () => {
    await api.sent(
      addition('Über Flüsse & Bäche'),
      addition('the quick fox'),
      addition('100% slow/fox'),
    );
    await written();
  });

  it('is described by an OpenSearch document', async () => {
    const answer = await reader.get('/opds/search.xml').expect(200);
    await reader.head('/opds/search.xml').expect(200);

    expect(answer.headers['content-type']).toBe('application/opensearchdescription+xml');
    expect(textOf(answer)).toContain(
      `<Url type="application/atom+xml" template="${app.url}/opds/search?q={searchTerms}"/>`,
    );
  });

  it.each([
    ['fox', ['100% slow/fox', 'the quick fox']],
    ['Fl%C3%BCsse', ['Über Flüsse & Bäche']],
    ['quick%20fox', ['the quick fox']],
    ['fox%20-quick', ['100% slow/fox']],
    ['%22quick%20fox%22', ['the quick fox']],
    ['unheard', []],
    ['', []],
    ['%20', []],
    ['%00', []],
    ['%ff%fe', []],
    ['%F0%9F%98%80'.repeat(200), []],
    ['%22', []],
  ])('returns the matching items for %s', async (terms, titles) => {
    const { links } = await reader.feed('/opds');
    const template = links.find(({ rel }) => rel === 'search')!.href;

    expect(await reader.titles(template.replace('{searchTerms}', terms))).toEqual(titles);
  });

  it('returns all results page by page', async () => {
    const names = Array.from({ length: 65 }, (_, at) => `item ${at + 1}`);
    await api.sent(...names.map(addition));
    await written();

    const { entries, pages } = await reader.all('/opds/search?q=item');

    expect([pages, entries.map(({ title }) => title)]).toEqual([3, names.toReversed()]);
  });
});

describe('an OPDS book', () => {
  it('is not created by HEAD, is downloaded by GET, and is not archived', async () => {
    const id = await api.saved('https://example.com/a', { title: 'Flüsse: a/b' });
    const { href } = (await reader.feed('/opds/unread')).entries[0]!;

    await app.database.query('ALTER TABLE pages RENAME TO hidden_pages');
    const head = await reader.head(href);
    await app.database.query('ALTER TABLE hidden_pages RENAME TO pages');
    const answer = await reader.get(href).responseType('blob').expect(200);

    expect([head.status, head.headers['content-length']]).toEqual([200, undefined]);
    for (const { headers } of [head, answer]) {
      expect(headers).toMatchObject({
        'content-type': 'application/epub+zip',
        'cache-control': 'private, no-store, no-transform',
        'content-disposition': expect.stringMatching(
          /^attachment; filename="Fl.sse a b\.epub"; filename\*=UTF-8''Fl%C3%BCsse%20a%20b\.epub$/,
        ),
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
    expect((await readEpub(answer.body as Buffer)).title).toBe('Flüsse: a/b');
    expect((await api.item(id))!.status).toBe('0');
    expect((await reader.feed('/opds/all')).entries[0]!.href).toBe(href);
  });

  it.each(['0', '1', '-1', '9'.repeat(30), 'x', '%00'])('returns 404 for the id %s', async (id) => {
    for (const answer of [
      await reader.get(`/opds/items/${id}/a.epub`),
      await reader.head(`/opds/items/${id}/a.epub`),
    ]) {
      expect([answer.status, answer.headers['content-type']]).toEqual([
        ...[404, 'text/plain; charset=utf-8'],
      ]);
    }
  });

  it('of another user returns 404', async () => {
    const other = await ReadingListApi.of(app);
    const id = await other.saved('https://example.com/other');
    const able = await CatalogueReader.of(app, api.user, [Permission.Retrieve, Permission.Modify]);

    await reader.get(`/opds/items/${id}/a.epub`).expect(404);
    await reader.head(`/opds/items/${id}/a.epub`).expect(404);
    await able.get(`/opds/mark/${id}`).expect(404);
    expect(await reader.titles('/opds/all')).toEqual([]);
    expect((await other.item(id))!.status).toBe('0');
  });
});
