import { ImportApi } from '../support/import-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { shownText } from '../support/page-visitor.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let imports: ImportApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  imports = new ImportApi(app, api);
});

const LISTS = { folders: 'lists' };
const RAINDROP = 'id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite';
const INSTAPAPER = 'URL,Title,Selection,Folder,Timestamp';

/** Returns a table of Raindrop. Each row has an address, a collection and tags. */
const raindrop = (...rows: readonly (readonly [string, string, string?])[]): string =>
  [
    RAINDROP,
    ...rows.map(
      ([name, folder, tags = ''], at) =>
        `${at},,,,https://example.com/${name},"${folder}","${tags}",,,,false`,
    ),
  ].join('\n');

/** Returns the saved lists of a user in their order, with their conditions. */
const listsOf = async ({ user }: ReadingListApi = api): Promise<readonly (readonly unknown[])[]> =>
  (
    await app.database.query<{ name: string; conditions: unknown }>(
      `SELECT name, conditions FROM saved_lists WHERE user_id = ${user.id} ORDER BY place`,
    )
  ).map(({ name, conditions }) => [name, conditions]);

const listOf = (name: string): readonly [string, object] => [name, { tag: name }];

/** Returns the tags of each item by the last part of its address. */
async function tags(): Promise<Record<string, readonly string[]>> {
  const items = await api.items({ state: 'all', detailType: 'complete' });
  return Object.fromEntries(
    items.map((item) => [new URL(item.given_url).pathname.slice(1), tagsOf(item)]),
  );
}

const FILES = [
  [
    'Karakeep',
    JSON.stringify({
      bookmarks: [
        {
          createdAt: 1700000001,
          tags: ['shade'],
          content: { type: 'link', url: 'https://example.com/a' },
          lists: ['l2', 'l3'],
        },
        {
          createdAt: 1700000002,
          content: { type: 'link', url: 'https://example.com/b' },
          lists: [],
        },
      ],
      lists: [
        { id: 'l1', name: 'Research', parentId: null, type: 'manual' },
        { id: 'l2', name: 'Plants', parentId: 'l1', type: 'manual' },
        { id: 'l3', name: 'Later', parentId: null, type: 'manual' },
      ],
    }),
    { a: ['Later', 'Plants', 'Research', 'shade'], b: [] },
    { a: ['Later', 'Research/Plants', 'shade'], b: [] },
    [listOf('Research/Plants'), listOf('Later')],
  ],
  [
    'Linkwarden',
    JSON.stringify({
      collections: [
        { id: 1, name: 'Research', links: [] },
        {
          ...{ id: 2, name: 'Plants', parentId: 1 },
          links: [{ url: 'https://example.com/a', name: 'A', tags: [{ name: 'shade' }] }],
        },
        { id: 3, name: 'Unorganized', links: [{ url: 'https://example.com/b', name: 'B' }] },
      ],
    }),
    { a: ['Plants', 'Research', 'shade'], b: [] },
    { a: ['Research/Plants', 'shade'], b: [] },
    [listOf('Research/Plants')],
  ],
  [
    'Instapaper',
    `${INSTAPAPER}\nhttps://example.com/a,A,,Field guides,1700000001\nhttps://example.com/b,B,,Unread,1700000002\n`,
    { a: ['Field guides'], b: [] },
    { a: ['Field guides'], b: [] },
    [listOf('Field guides')],
  ],
  [
    'Raindrop',
    raindrop(['a', 'Research / Plants', 'shade'], ['b', 'Unsorted'], ['c', 'Research / Plants']),
    { a: ['Plants', 'Research', 'shade'], b: [], c: ['Plants', 'Research'] },
    { a: ['Research/Plants', 'shade'], b: [], c: ['Research/Plants'] },
    [listOf('Research/Plants')],
  ],
] as const;

describe.each(FILES)('the folders of %s', (...[, file, asTags, asLists, lists]) => {
  it('become tags by default', async () => {
    expect(await imports.imported(file)).toMatchObject({ state: 'done', incomplete: 0 });

    expect(await tags()).toEqual(asTags);
    expect(await listsOf()).toEqual([]);
  });

  it('become saved lists on request, which show the tags of the folders', async () => {
    const job = await imports.imported(file, LISTS);

    expect(job).toMatchObject({ state: 'done', incomplete: 0, refused: 0 });
    expect(await tags()).toEqual(asLists);
    expect(await listsOf()).toEqual(lists);
    const [name] = lists[0];
    const shown = await api.items({ list: name, state: 'all' });
    expect(shown.map((item) => item.given_url)).toContain('https://example.com/a');
    expect(shown.map((item) => item.given_url)).not.toContain('https://example.com/b');
  });

  it('create nothing and report nothing in a second import', async () => {
    await imports.imported(file, LISTS);
    const before = await listsOf();

    const again = await imports.imported(file, LISTS);

    expect(again).toMatchObject({ state: 'done', added: 0, changed: 0, incomplete: 0 });
    expect(await listsOf()).toEqual(before);
  });
});

describe('folders that become saved lists', () => {
  it('keep a list with the same name and other conditions, with a row message', async () => {
    await api.saved('https://sea.example/', { tags: 'sea' });
    await app.database.query(
      `INSERT INTO saved_lists (user_id, name, name_key, conditions, place)
       VALUES (${api.user.id}, 'RIVERS', 'rivers', '{"tag": "sea"}', 1)`,
    );

    const job = await imports.imported(raindrop(['a', 'Rivers'], ['b', 'Rivers']), LISTS);

    expect(job).toMatchObject({ added: 2, incomplete: 1 });
    expect(await listsOf()).toEqual([['RIVERS', { tag: 'sea' }]]);
    expect(await tags()).toMatchObject({ a: ['Rivers'], b: ['Rivers'] });
    expect(await imports.remarks(job.id)).toEqual([
      expect.stringContaining('the saved list ""Rivers"" (another list has this name)'),
    ]);
  });

  it.each([
    ['..', '..'],
    ['a reserved tag', '_untagged_'],
    ['too long a path', 'x'.repeat(101)],
  ])('report a name that no list can have: %s', async (_, folder) => {
    const job = await imports.imported(raindrop(['a', folder], ['b', 'Rivers']), LISTS);

    expect(job).toMatchObject({ added: 2, incomplete: 1 });
    expect(await listsOf()).toEqual([listOf('Rivers')]);
    const [remark] = await imports.remarks(job.id);
    expect(remark).toContain(
      `the saved list ""${folder.slice(0, 40)}"" (The list has no valid name)`,
    );
  });

  it('become at most 100 lists in the order of the file, and the others stay tags', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => [`${at}`, `F${at}`] as const);

    const job = await imports.imported(raindrop(...rows), LISTS);

    expect(job).toMatchObject({ state: 'done', added: 250, incomplete: 150 });
    expect((await listsOf()).map(([name]) => name)).toEqual(
      rows.slice(0, 100).map(([, folder]) => folder),
    );
    expect(await api.items({ state: 'all', tag: 'F249' })).toHaveLength(1);
    const remarks = await imports.remarks(job.id);
    expect(remarks).toHaveLength(150);
    expect(remarks[0]).toContain('the saved list ""F100"" (A user can save at most 100 lists)');
  });

  it('become one list if their names differ only in upper and lower case', async () => {
    const job = await imports.imported(raindrop(['a', 'Rivers'], ['b', 'RIVERS']), LISTS);

    expect(job).toMatchObject({ added: 2, incomplete: 0 });
    expect(await listsOf()).toEqual([listOf('Rivers')]);
  });

  it('create each list once if the same file is imported twice at once', async () => {
    const file = raindrop(['a', 'Rivers'], ['b', 'Woods']);

    const uploads = await Promise.all([imports.upload(file, LISTS), imports.upload(file, LISTS)]);

    const ids = uploads
      .filter(({ status }) => status === 200)
      .map(({ body }) => (body as { import: { id: string } }).import.id);
    expect(ids.length).toBeGreaterThan(0);
    await Promise.all(ids.map((id) => imports.ended(id)));
    expect(await listsOf()).toEqual([listOf('Rivers'), listOf('Woods')]);
  });

  it('belong to their own user if two users import at once', async () => {
    const other = await ReadingListApi.of(app);

    await Promise.all([
      imports.imported(raindrop(['a', 'Rivers']), LISTS),
      new ImportApi(app, other).imported(raindrop(['b', 'Woods']), LISTS),
    ]);

    expect(await listsOf()).toEqual([listOf('Rivers')]);
    expect(await listsOf(other)).toEqual([listOf('Woods')]);
  });
});

describe('the choice', () => {
  it('is rejected if it is neither tags nor lists', async () => {
    const { status, headers } = await imports.upload(raindrop(['a', 'x']), { folders: 'list' });

    expect(status).toBe(400);
    expect(headers['x-error']).toContain('folders must be tags or lists');
    expect(await api.items({ state: 'all' })).toEqual([]);
  });

  it.each([
    ['tags', []],
    ['lists', [listOf('Rivers')]],
  ])('is offered on the page of the account: %s', async (folders, lists) => {
    const visitor = await aVisitor(app, api.user);
    const page = await visitor.open('/account/data').expect(200);
    expect(shownText(page, '#import-folders')).toBe('Tags Saved lists');
    const { action, fields } = await visitor.form('/account/data', '/account/import');
    const begun = await visitor.agent
      .post(action)
      .field('_csrf', fields['_csrf'] ?? '')
      .field('folders', folders)
      .attach('file', Buffer.from(raindrop(['a', 'Rivers'])), 'raindrop.csv');
    expect(begun.status).toBe(303);

    await imports.ended(begun.headers['location']?.split('/').at(-1) ?? '');

    expect(await listsOf()).toEqual(lists);
    expect(await tags()).toEqual({ a: ['Rivers'] });
  });
});
