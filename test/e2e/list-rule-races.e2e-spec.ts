import { Database } from '../../src/platform/database/database.js';
import { EventDelivery } from '../../src/reading-list/events/event-delivery.js';
import { recordPages } from '../../src/reading-list/pages/record-pages.js';
import { ListRuleRepository } from '../../src/reading-list/rules/list-rule.repository.js';
import { RuleHandler } from '../../src/reading-list/rules/rule-handler.js';
import { RuleTexts } from '../../src/reading-list/rules/rule-texts.js';
import { aParsedPage } from '../support/a-page.js';
import { EReaderWorld } from '../support/e-reader-world.js';
import { until } from '../support/processes.js';
import { type ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { RuleWriter } from '../support/rule-writer.js';

const ON = { on: '1' };
const SITE = '/list?site=sea.example';
const PAGE = { ...aParsedPage().record.item, resolvedId: '7', lang: 'en' };

let world: EReaderWorld;
let api: ReadingListApi;
let userId: string;
let rules: RuleWriter;

beforeAll(async () => {
  world = await EReaderWorld.begin();
});
afterAll(() => world.close());
beforeEach(async () => {
  const reader = await world.reader();
  ({ api, userId } = reader);
  rules = new RuleWriter(world.app, reader);
});
afterEach(() => jest.restoreAllMocks());

/** Writes the page to all of these items. */
async function recorded(itemIds: readonly string[]): Promise<void> {
  const pages = new Map(itemIds.map((id) => [id, PAGE]));
  const database = world.app.app.get(Database);
  await database.transaction((manager) => recordPages(manager, userId, pages));
}

describe('a rule while its list changes', () => {
  it('finds the words of a page that is written after the words were indexed', async () => {
    const path = await rules.listOf('/list?search=begins');
    await rules.searchesArticles();
    await rules.rule(path, { ...ON, tags: 'known' });
    const { indexFor } = RuleTexts.prototype;
    const written: string[] = [];
    jest.spyOn(RuleTexts.prototype, 'indexFor').mockImplementationOnce(async function (
      this: RuleTexts,
      ...[active, items]: Parameters<RuleTexts['indexFor']>
    ) {
      await indexFor.call(this, active, items);
      await recorded(items.itemIds);
      written.push(...items.itemIds);
    });

    const id = await api.saved('https://sea.example/');
    await until(() => written.length > 0);
    await rules.handled();

    expect(written).toEqual([id]);
    expect(tagsOf(await api.item(id))).toEqual(['known']);
  });

  it('acts once the pages of a hundred items are written to the list at once', async () => {
    await rules.rule(await rules.listOf('/list?language=en'), { ...ON, tags: 'known' });
    const urls = Array.from({ length: 100 }, (_, at) => `https://sea.example/${at}`);
    for (const half of [urls.slice(0, 50), urls.slice(50)]) {
      await api.sent(...half.map((url) => ({ action: 'add', url })));
    }
    await rules.handled();
    const items = await world.app.database.query<{ item_id: string }>(
      'SELECT item_id FROM items WHERE user_id = $1',
      [userId],
    );

    await recorded(items.map(({ item_id: id }) => id));
    await rules.handled();

    expect((await api.found({ tag: 'known', total: '1' })).total).toBe('100');
    expect(await rules.rowsOf('list_rule_items')).toBe(0);
  });

  it('changes nothing twice if the handler fails after the first of two lists', async () => {
    await rules.rule(await rules.listOf(SITE, 'A'), { ...ON, tags: 'a' });
    await rules.rule(await rules.listOf('/list?site=example', 'B'), { ...ON, favorites: '1' });
    const queue = jest
      .spyOn(ListRuleRepository.prototype, 'wait')
      .mockRejectedValueOnce(new Error('broken'));

    const id = await api.saved('https://sea.example/');
    await until(() => Promise.resolve(queue.mock.calls.length > 0));
    const since = (await api.found()).since;
    expect(tagsOf(await api.item(id))).toEqual([]);
    await rules.handled();

    const item = await api.item(id);
    expect({ tags: tagsOf(item), favorite: item?.favorite }).toEqual({
      tags: ['a'],
      favorite: '1',
    });
    expect(Object.keys((await api.found({ since })).list)).toEqual([id]);
  });

  it('acts once if two processes deliver the same events', async () => {
    await rules.rule(await rules.listOf(SITE), { ...ON, tags: 'x' });
    const handle = jest.spyOn(RuleHandler.prototype, 'handle');
    const handler = world.app.app.get(RuleHandler);
    const delivery = world.app.app.get(EventDelivery);

    const id = await api.saved('https://sea.example/');
    await Promise.all([1, 2, 3].map(() => delivery.deliverAll([handler])));
    await rules.handled();

    expect(tagsOf(await api.item(id))).toEqual(['x']);
    const added = handle.mock.calls.flatMap(([, events]) =>
      events.filter(({ kind, itemId }) => kind === 'item.added' && itemId === id),
    );
    expect(added).toHaveLength(1);
  });
});
