import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { ListRules } from '../../src/reading-list/rules/list-rules.service.js';
import { SavedLists } from '../../src/reading-list/saved-lists/saved-lists.service.js';
import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const TIME = 1_700_000_000;
const URL = 'https://example.com/read';
const NOTE = 'first line\n\n=second "line", <b>';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  await api.sent(
    { action: 'add', url: URL, title: "'=1+1", tags: '-x,y', time: TIME },
    { action: 'archive', url: URL, time: TIME + 1 },
    { action: 'favorite', url: URL, time: TIME + 2 },
    { action: 'set_note', url: URL, note: NOTE },
    {
      ...{ action: 'add_annotation', url: URL, time: TIME + 3 },
      annotation: { annotation_id: 'a1', quote: 'Said', note: 'why' },
    },
    { action: 'add', url: 'https://example.com/bare', title: '=1+1', tags: '@z', time: TIME + 4 },
  );
});

const exported = async (format: string, whose = api): Promise<Buffer> =>
  (await exportCall(app, whose, { format }).expect(200)).body as Buffer;

async function importedBy(format: string): Promise<ReadingListApi> {
  const other = await ReadingListApi.of(app);
  const job = await new ImportApi(app, other).imported(await exported(format));
  expect(job).toMatchObject({ state: 'done', added: 2, refused: 0, incomplete: 0 });
  return other;
}

const items = (whose: ReadingListApi): Promise<ItemResponse[]> =>
  whose.items({ state: 'all', detailType: 'complete', annotations: 1, sort: 'oldest' });

describe('an export that is imported into another account', () => {
  it('restores all items from JSON Lines, and the note does not become a highlight', async () => {
    const other = await importedBy('jsonl');

    expect(await items(other)).toEqual(
      (await items(api)).map((item) => ({ ...item, time_updated: expect.any(String) })),
    );
    expect(
      await app.database.query('SELECT annotation_id FROM annotations WHERE user_id = $1', [
        other.user.id,
      ]),
    ).toEqual([{ annotation_id: 'a1' }]);
    expect(await new ImportApi(app, other).imported(await exported('jsonl', other))).toMatchObject({
      ...{ added: 0, changed: 0, unchanged: 2, incomplete: 0 },
    });
  });

  it('restores favorites, highlights and notes from wallabag JSON', async () => {
    const [read, bare] = await items(await importedBy('wallabag'));

    expect(read).toMatchObject({
      ...{ given_url: URL, given_title: "'=1+1", status: '1', favorite: '1', note: NOTE },
      ...{ time_added: String(TIME), time_read: String(TIME + 1) },
      time_favorited: String(TIME + 2),
      tags: { '-x': expect.anything(), y: expect.anything() },
      annotations: [
        { quote: '', note: NOTE },
        { quote: 'Said', note: 'why' },
      ],
    });
    expect(bare).not.toHaveProperty('note');
    expect(bare).toMatchObject({ status: '0', favorite: '0', given_title: '=1+1' });
  });

  it('restores texts that look like spreadsheet formulas from Pocket CSV', async () => {
    const [read, bare] = await items(await importedBy('pocket-csv'));

    expect(read).toMatchObject({ given_title: "'=1+1", status: '1' });
    expect(Object.keys(read?.tags ?? {})).toEqual(['-x', 'y']);
    expect(bare).toMatchObject({ given_title: '=1+1', tags: { '@z': expect.anything() } });
  });
});

describe('the saved lists of an export', () => {
  const LISTS = [
    {
      ...{ name: 'Übung/1', conditions: { tag: 'x', sort: 'title' } },
      ...{ isPinned: true, feed: 'articles' as const, isShelf: true },
    },
    { name: 'b', conditions: { search: 'b', state: 'archive' }, isPinned: false },
  ];

  const listsOf = async (whose: ReadingListApi): Promise<object[]> =>
    (await app.app.get(SavedLists).all(whose.user.id)).map(
      ({ name, conditions, isPinned, feed, isShelf }) => ({
        ...{ name, conditions, isPinned, feed, isShelf },
      }),
    );

  beforeEach(async () => {
    for (const list of LISTS) {
      await app.app.get(SavedLists).create(api.user.id, list);
    }
  });

  it('are restored in their order', async () => {
    const other = await ReadingListApi.of(app);
    const job = await new ImportApi(app, other).imported(await exported('jsonl'));

    expect(job).toMatchObject({ state: 'done', added: 4, refused: 0, incomplete: 0 });
    expect(await listsOf(other)).toEqual(await listsOf(api));
    expect(await listsOf(other)).toMatchObject(LISTS);
  });

  it('keep their rules, which an import turns off and reports', async () => {
    const [list] = await app.app.get(SavedLists).all(api.user.id);
    const actions = { tags: ['water', '=1'], favorite: true } as const;
    const key = { userId: api.user.id, listId: list!.id };
    await app.app.get(ListRules).save(key, { actions, isOn: true });
    const other = await ReadingListApi.of(app);
    const imports = new ImportApi(app, other);

    const { id, ...job } = await imports.imported(await exported('jsonl'));

    expect(job).toMatchObject({ added: 4, refused: 0, incomplete: 1 });
    expect((await imports.remarks(id)).join()).toContain('the rule of the list is turned off');
    const rules = [...(await app.app.get(ListRules).ofUser(other.user.id)).values()];
    expect(rules).toMatchObject([{ actions, isOn: false }]);
  });

  it('do not replace lists with the same name, which are reported', async () => {
    const other = await ReadingListApi.of(app);
    const imports = new ImportApi(app, other);
    await app.app.get(SavedLists).create(other.user.id, { name: 'B', conditions: { tag: 'own' } });

    const { id, ...job } = await imports.imported(await exported('jsonl'));

    expect(job).toMatchObject({ added: 3, unchanged: 1, incomplete: 1 });
    expect(await listsOf(other)).toMatchObject([
      { name: 'B', conditions: { tag: 'own' } },
      LISTS[0],
    ]);
    expect((await imports.remarks(id)).join()).toContain('a list with this name exists');
  });

  it.each([
    '{"name":"  ","conditions":{"tag":"x"}}',
    '{"name":"..","conditions":{}}',
    `{"name":"long","conditions":{"tag":"${'x'.repeat(501)}"}}`,
    '{"name":"other","conditions":{"site":"example.com","tag":["x"]}}',
    '{"name":"none"}',
    '{"name":"text","conditions":"tag"}',
    '"text"',
    'null',
  ])('are refused if they are not valid: %s', async (list) => {
    const other = await ReadingListApi.of(app);

    const job = await new ImportApi(app, other).imported(
      `{"satchel":1}\n{"saved_list":${list}}\n{"url":"https://example.com/1"}\n`,
    );

    expect(job).toMatchObject({ state: 'done', added: 1, refused: 1 });
    expect(await listsOf(other)).toEqual([]);
  });

  it('contain no characters that the database cannot store', async () => {
    const other = await ReadingListApi.of(app);

    const job = await new ImportApi(app, other).imported(
      String.raw`{"satchel":1}
{"saved_list":{"name":"\ud800a","conditions":{"search":"b\udfff","\ud800":"c"}}}`,
    );

    expect(job).toMatchObject({ state: 'done', added: 1, refused: 0 });
    expect(await listsOf(other)).toMatchObject([
      { name: '\ufffda', conditions: { search: 'b\ufffd', '\ufffd': 'c' } },
    ]);
  });

  it('are at most a hundred', async () => {
    const other = await ReadingListApi.of(app);
    const lines = Array.from(
      { length: 101 },
      (_, at) => `{"saved_list":{"name":"${at}","conditions":{"tag":"x"}}}`,
    );

    const job = await new ImportApi(app, other).imported(['{"satchel":1}', ...lines].join('\n'));

    expect(job).toMatchObject({ added: 100, refused: 1 });
    expect(await listsOf(other)).toHaveLength(100);
  });
});

describe('the CSV of row errors', () => {
  it('has no cell that a spreadsheet runs as a formula', async () => {
    const imports = new ImportApi(app, await ReadingListApi.of(app));

    const { id } = await imports.imported('url,title\n"=HYPERLINK(""http://x"")",A\n');

    expect(await imports.remarks(id)).toEqual([expect.stringContaining('"\'=HYPERLINK(')]);
  });
});
