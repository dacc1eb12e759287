import { RuleMails } from '../../src/apis/e-reader-mail/rule-mails.js';
import { EventDelivery } from '../../src/reading-list/events/event-delivery.js';
import { ListRuleRepository } from '../../src/reading-list/rules/list-rule.repository.js';
import { RuleHandler } from '../../src/reading-list/rules/rule-handler.js';
import { EReaderWorld } from '../support/e-reader-world.js';
import { ImportApi } from '../support/import-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';

const ARTICLE = `<title>Tides</title><article><h1>Tides</h1>${'<p>The moon pulls the sea twice a day.</p>'.repeat(20)}</article>`;

let world: EReaderWorld;
let api: ReadingListApi;
let visitor: PageVisitor;
let userId: string;

beforeAll(async () => {
  world = await EReaderWorld.begin();
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ api, visitor, userId } = await world.reader());
});
afterEach(() => jest.restoreAllMocks());

/** Saves a list of a view, and returns the address of its page. */
async function listOf(path: string, name = 'Rule'): Promise<string> {
  const form = await visitor.form(path, '/list/lists');
  await visitor.submit(form, { name }).expect(303);
  const [row] = await world.app.database.query<{ id: string }>(
    'SELECT id FROM saved_lists WHERE user_id = $1 AND name = $2',
    [userId, name],
  );
  return `/list/lists/edit?id=${row!.id}`;
}

async function rule(path: string, fields: Record<string, string>): Promise<void> {
  const form = await visitor.form(path, '/list/lists/rule');
  await visitor.submit(form, fields).expect(303);
}

/** Waits until the rules have handled all events of the user. */
const handled = (): Promise<void> =>
  until(async () => (await rowsOf('list_events')) === 0);

async function rowsOf(table: string): Promise<number> {
  const rows = await world.app.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId]);
  return rows.length;
}

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
    await api.add({ url: 'https://sea.example/new', html: ARTICLE }).expect(200);
    await api.sent({ action: 'delete', item_id: id });
    await handled();
    const trash = await visitor.csrfToken();
    await visitor
      .post('/list/actions', { _csrf: trash, action: 'undo_delete', 'item[]': id, back: '/list' })
      .expect(303);
    await handled();
    expect(await stateOf(id)).toEqual(UNTOUCHED);
  });

  it.each([
    ['the reading time', '/list?time=short'],
    ['a word of the article', '/list?search=moon'],
  ])('checks %s when the page is fetched', async (_, path) => {
    await rule(await listOf(path), { ...ON, tags: 'known' });
    const bare = await api.saved('https://sea.example/bare');

    const id = await api.saved('https://sea.example/full', { html: ARTICLE });
    await until(async () => tagsOf(await api.item(id)).length > 0);
    await handled();

    expect(tagsOf(await api.item(id))).toEqual(['known']);
    expect(await stateOf(bare)).toEqual(UNTOUCHED);
    await api.sent({ action: 'tags_clear', item_id: id });
    await api.add({ url: 'https://sea.example/full', html: `${ARTICLE}<p>More.</p>` }).expect(200);
    await handled();
    expect(await stateOf(id)).toEqual(UNTOUCHED);
  });

  it('does not act on imported items, also not when their pages are fetched', async () => {
    await rule(await listOf(SITE), { ...ON, tags: 'x' });

    await new ImportApi(world.app, api).imported('https://sea.example/1\nhttps://sea.example/2\n');
    await handled();
    const [item] = await api.items();
    await api.add({ url: item!.given_url, html: ARTICLE }).expect(200);
    await handled();

    for (const { item_id: id } of await api.items()) {
      expect(await stateOf(id)).toEqual(UNTOUCHED);
    }
  });

  it('is applied to the items that match now on request, and says what was changed', async () => {
    const ids = [await api.saved('https://sea.example/1'), await api.saved('https://sea.example/2')];
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

    expect(tagsOf(await api.item(id))).toEqual([]);
    expect(shownText(await visitor.open(path).expect(200))).toContain('The rule is paused.');
  });
});
