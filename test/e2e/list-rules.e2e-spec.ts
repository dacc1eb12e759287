import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { EReaderWorld } from '../support/e-reader-world.js';
import { ImportApi } from '../support/import-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { ARTICLE, RuleWriter } from '../support/rule-writer.js';

let world: EReaderWorld;
let api: ReadingListApi;
let visitor: PageVisitor;
let userId: string;
let rules: RuleWriter;

beforeAll(async () => {
  world = await EReaderWorld.begin();
});
afterAll(() => world.close());
beforeEach(async () => {
  const reader = await world.reader();
  ({ api, visitor, userId } = reader);
  rules = new RuleWriter(world.app, reader);
});
afterEach(() => jest.restoreAllMocks());

const listOf = (path: string, name?: string): Promise<string> => rules.listOf(path, name);
const rule = (path: string, fields: Record<string, string>): Promise<void> =>
  rules.rule(path, fields);
const handled = (): Promise<void> => rules.handled();
const rowsOf = (table: string): Promise<number> => rules.rowsOf(table);
const fetched = (url: string, id: string): Promise<void> => rules.fetched(url, id);

async function stateOf(id: string): Promise<object> {
  const item = await api.item(id);
  return { tags: tagsOf(item), status: item?.status, favorite: item?.favorite };
}

const UNTOUCHED = { tags: [], status: '0', favorite: '0' };
const SITE = '/list?site=sea.example';
const ON = { on: '1' };

describe('a rule of a saved list', () => {
  it('adds tags, archives and favorites new items that match, once', async () => {
    const old = await api.saved('https://sea.example/old');
    const path = await listOf(SITE);
    await rule(path, { ...ON, tags: 'Sea, Tides', archives: '1', favorites: '1' });
    const since = (await api.found()).since;

    const id = await api.saved('https://sea.example/new');
    const other = await api.saved('https://land.example/');
    await handled();

    expect(await stateOf(id)).toEqual({ tags: ['Sea', 'Tides'], status: '1', favorite: '1' });
    expect(await stateOf(other)).toEqual(UNTOUCHED);
    expect(await stateOf(old)).toEqual(UNTOUCHED);
    expect(Object.keys((await api.found({ since, state: 'all' })).list)).toContain(id);
    await api.sent({ action: 'unfavorite', item_id: id }, { action: 'tags_clear', item_id: id });
    await api.sent({ action: 'readd', item_id: id });
    await fetched('https://sea.example/new', id);
    await handled();
    expect(await stateOf(id)).toEqual(UNTOUCHED);
    const fields = { _csrf: await visitor.csrfToken(), 'item[]': id, back: '/list' };
    await visitor.post('/list/actions', { ...fields, action: 'delete' }).expect(303);
    await visitor.post('/list/actions', { ...fields, action: 'undo_delete' }).expect(303);
    await handled();
    expect(await stateOf(id)).toEqual(UNTOUCHED);
  });

  it.each([
    ['the reading time', '/list?time=short'],
    ['the language', '/list?language=en'],
    ['a word of the article', '/list?search=moon'],
  ])('checks %s when the page is fetched', async (_, path) => {
    const list = await listOf(path);
    await rules.searchesArticles();
    await rule(list, { ...ON, tags: 'known' });
    const bare = await api.saved('https://sea.example/bare');

    const id = await api.saved('https://sea.example/2026/01/how-the-tides-work', { html: ARTICLE });
    await until(async () => tagsOf(await api.item(id)).length > 0);
    await handled();

    expect(tagsOf(await api.item(id))).toEqual(['known']);
    expect(await stateOf(bare)).toEqual(UNTOUCHED);
    await api.sent({ action: 'tags_clear', item_id: id });
    await fetched('https://sea.example/2026/01/how-the-tides-work', id);
    await handled();
    expect(await stateOf(id)).toEqual(UNTOUCHED);
  });

  it('does not act on imported items, also not when their pages are fetched', async () => {
    await rule(await listOf(SITE), { ...ON, tags: 'x' });

    await new ImportApi(world.app, api).imported('https://sea.example/1\nhttps://sea.example/2\n');
    await handled();
    const [item] = await api.items();
    await fetched(item!.given_url, item!.item_id);
    await handled();

    for (const { item_id: id } of await api.items()) {
      expect(await stateOf(id)).toEqual(UNTOUCHED);
    }
  });

  it('is applied to the items that match now on request, and says what was changed', async () => {
    const ids = [
      await api.saved('https://sea.example/1'),
      await api.saved('https://sea.example/2'),
    ];
    await api.saved('https://land.example/');
    await api.sent({ action: 'tags_add', item_id: ids[0], tags: 'sea' });
    const path = await listOf(SITE);
    await rule(path, { tags: 'Sea' });
    const page = await visitor.open(path).expect(200);
    expect(shownText(page)).toContain('Would have matched 2 of your last 3 saved pages.');
    expect(shownText(page)).toContain('Apply to 2 items that match now');

    const form = await visitor.form(path, '/list/lists/rule/apply');
    const answers = await Promise.all([visitor.submit(form), visitor.submit(form)]);

    const shown = await Promise.all(
      answers.map(async (one) => shownText(await visitor.open(locationOf(one)), '[role=status]')),
    );
    expect(shown).toContain('The rule changed 1 item.');
    expect(await Promise.all(ids.map(async (id) => tagsOf(await api.item(id))))).toEqual([
      ['sea'],
      ['sea'],
    ]);
  });

  it('leaves items that stop matching while it is applied', async () => {
    const id = await api.saved('https://sea.example/', { tags: 'sea' });
    const path = await listOf('/list?tag=sea');
    await rule(path, { favorites: '1' });
    const form = await visitor.form(path, '/list/lists/rule/apply');
    jest
      .spyOn(ListTransactions.prototype, 'run')
      .mockImplementationOnce(async (...change: Parameters<ListTransactions['run']>) => {
        await api.sent({ action: 'tags_clear', item_id: id });
        return world.app.app.get(ListTransactions).run(...change);
      });

    expect(locationOf(await visitor.submit(form))).toContain('done=unchanged');
    expect(await stateOf(id)).toEqual(UNTOUCHED);
  });

  it('is paused with a reason if this version does not understand the conditions, and others act', async () => {
    const path = await listOf(SITE, 'Later');
    await rule(path, { ...ON, tags: 'later' });
    await rule(await listOf('/list?site=example', 'All'), { ...ON, tags: 'now' });
    await world.app.database.query(
      `UPDATE saved_lists SET conditions = conditions || '{"mood": "calm"}' WHERE user_id = $1 AND name = 'Later'`,
      [userId],
    );

    const id = await api.saved('https://sea.example/');
    await handled();

    expect(tagsOf(await api.item(id))).toEqual(['now']);
    expect(shownText(await visitor.open(path).expect(200))).toContain('The rule is paused.');
  });

  it('has a subscription only while a rule is on, also if two browsers change it at once', async () => {
    const paths = [await listOf(SITE, 'A'), await listOf('/list?site=land.example', 'B')];
    expect(await rowsOf('event_subscriptions')).toBe(0);
    await Promise.all(paths.map((path) => rule(path, { ...ON, tags: 'x' })));
    expect(await rowsOf('event_subscriptions')).toBe(1);

    await Promise.all(paths.map((path) => rule(path, { tags: 'x' })));
    expect(await rowsOf('event_subscriptions')).toBe(0);
    await api.saved('https://sea.example/');
    expect(await rowsOf('list_events')).toBe(0);

    await Promise.all(paths.map((path, at) => rule(path, { tags: 'x', ...(at === 0 && ON) })));
    expect(await rowsOf('event_subscriptions')).toBe(1);
  });

  it('ends with its list, and comes back with it for items that are added later', async () => {
    const path = await listOf(SITE);
    await rule(path, { ...ON, tags: 'x' });
    const form = await visitor.form(path, '/list/lists/delete');
    const page = locationOf(await visitor.submit(form).expect(303));
    expect(await rowsOf('event_subscriptions')).toBe(0);
    const between = await api.saved('https://sea.example/between');

    await visitor.submit(await visitor.form(page, '/list/lists/restore')).expect(303);
    const later = await api.saved('https://sea.example/later');
    await handled();

    expect(tagsOf(await api.item(later))).toEqual(['x']);
    expect(tagsOf(await api.item(between))).toEqual([]);
  });

  it('is shown in words on the page of all lists, and rejects invalid tags', async () => {
    const path = await listOf(SITE);
    await rule(path, { ...ON, tags: '<b>x</b>', archives: '1' });
    const lists = await visitor.open('/list/lists').expect(200);
    expect(shownText(lists, '.saved-lists')).toContain(
      'Rule for new items: Add tags: <b>x</b> · Archive',
    );

    const form = await visitor.form(path, '/list/lists/rule');
    const answer = await visitor.submit(form, { tags: 'x'.repeat(101) }).expect(400);

    expect(shownText(answer, '[role=alert]')).toContain('Satchel could not save the rule');
    expect((await visitor.open(path)).text).toContain('value="&lt;b&gt;x&lt;/b&gt;"');
    const tooMany = Array.from({ length: 51 }, (_, n) => `t${n}`).join(',');
    await visitor.submit(form, { tags: tooMany }).expect(400);
  });

  it('belongs to its user alone', async () => {
    const path = await listOf(SITE);
    await rule(path, { ...ON, tags: 'x' });
    const other = await ReadingListApi.of(world.app);
    const stranger = await aVisitor(world.app, other.user);
    const id = path.split('=')[1]!;
    const token = await stranger.csrfToken();

    for (const action of ['rule', 'rule/apply']) {
      await stranger.post(`/list/lists/${action}`, { _csrf: token, id, tags: 'y' }).expect(404);
    }
    await visitor.post('/list/lists/rule', { id, tags: 'y' }).expect(403);
    const theirs = await other.saved('https://sea.example/');
    const mine = await api.saved('https://sea.example/');
    await handled();

    expect(tagsOf(await api.item(mine))).toEqual(['x']);
    expect(tagsOf(await other.item(theirs))).toEqual([]);
  });
});
