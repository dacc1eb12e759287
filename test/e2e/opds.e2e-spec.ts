import { linkEntry } from '../../src/apis/opds/catalogue-feed.js';
import { ServiceBusyError } from '../../src/platform/common/common.errors.js';
import { english } from '../../src/platform/i18n/translator.js';
import { ListReader } from '../../src/reading-list/get/list-reader.js';
import { CatalogueReader, readCatalogue, textOf } from '../support/catalogue-reader.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NAVIGATION = 'application/atom+xml;profile=opds-catalog;kind=navigation';
const ACQUISITION = 'application/atom+xml;profile=opds-catalog;kind=acquisition';

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

const addition = (name: string, members: object = {}): object => ({
  ...{ action: 'add', url: `https://example.com/${name}`, title: name, ...members },
});

/** `item 1` is the oldest. */
const saveMany = (count: number): Promise<unknown> =>
  api.sent(...Array.from({ length: count }, (_, at) => addition(`item ${at + 1}`)));

const descending = (from: number): string[] =>
  Array.from({ length: from }, (_, at) => `item ${from - at}`);

describe('the root of the OPDS catalogue', () => {
  it('links to the parts of the list, to the tags and to the search', async () => {
    const { entries, links, title } = await reader.feed('/opds');
    const answer = await reader.get('/opds').expect(200);

    expect(title).toBe('Satchel');
    expect(answer.headers['content-type']).toBe(NAVIGATION);
    expect(answer.headers['cache-control']).toBe('private, no-store, no-transform');
    expect(entries.map((entry) => [entry.title, entry.href, entry.links[0]!.rel])).toEqual([
      ['Unread', '/opds/unread', 'http://opds-spec.org/sort/new'],
      ['Newest', '/opds/newest', 'subsection'],
      ['Favorites', '/opds/favorites', 'subsection'],
      ['Archive', '/opds/archive', 'subsection'],
      ['All', '/opds/all', 'subsection'],
      ['Tags', '/opds/tags', 'subsection'],
    ]);
    expect(links.filter(({ rel }) => rel === 'search').map(({ href }) => href)).toEqual([
      '/opds/search?q={searchTerms}',
      '/opds/search.xml',
    ]);
    for (const {
      href,
      links: [link],
    } of entries) {
      const feed = await reader.get(href).expect(200);
      expect([href, feed.headers['content-type']]).toEqual([href, link!.type]);
      expect(readCatalogue(textOf(feed)).entries).toEqual([]);
    }
  });
});

describe('the feeds of the OPDS catalogue', () => {
  it('contain their items, the latest first', async () => {
    await saveMany(4);
    const [four, three, two] = (await api.items({ sort: 'newest' })).map(({ item_id: id }) => id);
    await api.sent(
      ...[{ action: 'archive', item_id: four, time: 1_700_000_000 }],
      ...[{ action: 'archive', item_id: two, time: 1_800_000_000 }],
      ...[
        { action: 'favorite', item_id: three },
        { action: 'tags_add', item_id: two, tags: 'a/b & c%,x' },
      ],
    );

    expect(await reader.titles('/opds/unread')).toEqual(['item 3', 'item 1']);
    expect(await reader.titles('/opds/newest')).toEqual(descending(4));
    expect(await reader.titles('/opds/all')).toEqual(descending(4));
    expect(await reader.titles('/opds/favorites')).toEqual(['item 3']);
    expect(await reader.titles('/opds/archive')).toEqual(['item 2', 'item 4']);
    const { entries: tags } = await reader.feed('/opds/tags');
    expect(tags.map(({ title }) => title)).toEqual(['a/b & c%', 'x']);
    expect(await reader.titles(tags[0]!.href)).toEqual(['item 2']);
    expect(await reader.titles('/opds/tag?name=nothing')).toEqual([]);
  });

  it('list each item once across all pages, even if items are added and archived meanwhile', async () => {
    await saveMany(105);
    const all = await reader.all('/opds/unread');
    const first = await reader.feed('/opds/unread');
    const [newest] = await api.items({ sort: 'newest', count: 1 });
    await api.sent({ action: 'archive', item_id: newest!.item_id }, addition('later'));

    const rest = await reader.all(first.next!);

    expect([all.pages, all.entries.map(({ title }) => title)]).toEqual([4, descending(105)]);
    expect(first.entries).toHaveLength(30);
    expect(rest.entries.map(({ title }) => title)).toEqual(descending(75));
    expect((await reader.all('/opds/newest')).pages).toBe(1);
  });

  it('have no next page if the last page is full', async () => {
    await saveMany(30);

    expect((await reader.feed('/opds/unread')).next).toBeUndefined();
  });

  it.each([
    '/opds/none',
    '/opds/unread?after=x',
    '/opds/unread?after=AAAA',
    '/opds/tag',
    '/opds/tag?name=a%00,',
    '/opds/constructor',
  ])('return 404 for %s', async (path) => {
    const answer = await reader.get(path);

    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      ...[404, 'text/plain; charset=utf-8', 'There is nothing at this address.\n'],
    ]);
    await reader.head(path).expect(404);
  });

  it('return 503 with Retry-After if the service is busy', async () => {
    const list = app.app.get(ListReader);
    jest.spyOn(list, 'page').mockRejectedValueOnce(new ServiceBusyError());

    const answer = await reader.get('/opds/unread');

    expect([answer.status, answer.headers['retry-after'], answer.type]).toEqual([
      ...[503, '1', 'text/plain'],
    ]);
  });
});

describe('an entry of the OPDS catalogue', () => {
  it('contains the metadata and links of its item', async () => {
    const id = await api.saved('https://example.com/a', { title: 'A page', tags: 'rivers' });
    await app.database.query(
      `UPDATE items SET excerpt = 'Of <b> & "c"', lang = 'en-GB', top_image_url = 'https://example.com/p.jpg',
         media = '{"authors":[{"id":"1","name":"Ada","url":""},{"id":"2","name":"Bob","url":""}],"images":[],"videos":[]}'
       WHERE item_id = $1`,
      [id],
    );

    const [entry] = (await reader.feed('/opds/unread')).entries;

    expect(entry).toMatchObject({
      ...{ title: 'A page', authors: ['Ada', 'Bob'], tags: ['rivers'], language: 'en-GB' },
      ...{ summary: 'Of <b> & "c"', href: `/opds/items/${id}/article-${id}.epub` },
    });
    expect(entry!.links.map(({ rel, type }) => `${rel} ${type}`)).toEqual([
      'http://opds-spec.org/acquisition application/epub+zip',
      'http://opds-spec.org/image image/jpeg',
      'http://opds-spec.org/image/thumbnail image/jpeg',
      'alternate text/html',
    ]);
    expect(entry!.links[1]!.href).toMatch(/^\/images\/thumbnails\/\d+\/\d+\/[\w-]{32}$/);
    expect(entry!.links[3]!.href).toBe(`/read/${id}`);
    const [later] = (await reader.feed('/opds/all')).entries;
    expect(later!.id).toBe(entry!.id);
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/a');
    const foreign = await CatalogueReader.of(app, other.user);
    expect((await foreign.feed('/opds/all')).entries[0]!.id).not.toBe(entry!.id);
  });

  it.each([
    [']]> <![CDATA[ & &nbsp; "x" \'y\'', ']]> <![CDATA[ & &nbsp; "x" \'y\''],
    ['a\u0001b\u0008c\u202ed', 'abcd'],
    ['<script>&#0;</script>', '<script>&#0;</script>'],
    ['\ufffe \uffff end 😀', 'end 😀'],
  ])('is well-formed XML with the title %j', async (title, shown) => {
    await api.saved('https://example.com/hostile');
    await app.database.query(
      'UPDATE items SET given_title = $1, prefers_given_title = true, excerpt = $1, tags = ARRAY[$1::text] WHERE user_id = $2',
      [title, api.user.id],
    );

    const [entry] = (await reader.feed('/opds/all')).entries;

    expect(entry!.title.trim()).toBe(shown);
    const book = await reader.get(entry!.href).responseType('blob').expect(200);
    const { title: inBook } = await readEpub(book.body as Buffer);
    expect(inBook.replaceAll('\u202e', '').trim()).toBe(shown);
  });

  it('is well-formed XML with a lone surrogate in the title', () => {
    const text = `half \ud800 pair`;
    const entry = { title: text, text, path: '/opds/x', kind: 'acquisition', updated: 0 } as const;

    expect(linkEntry(entry, { at: (path) => path, t: english.text })).toContain(
      '<title>half \ufffd pair</title>',
    );
  });
});

describe('the content types of OPDS feeds', () => {
  it('are exact for GET and HEAD', async () => {
    for (const [path, type] of [
      ['/opds/tags', NAVIGATION],
      ['/opds/unread', ACQUISITION],
      ['/opds/search?q=x', ACQUISITION],
    ] as const) {
      expect((await reader.get(path).expect(200)).headers['content-type']).toBe(type);
      expect((await reader.head(path).expect(200)).headers['content-type']).toBe(type);
    }
  });
});
