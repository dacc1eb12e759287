import type { Response } from 'supertest';

import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { aFetcher } from '../support/a-fetcher.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aVisitor } from '../support/oauth-api.js';
import { headingOf, locationOf, type PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { ok, PublicHost } from '../support/public-host.js';
import { AN_HOUR_AGO, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';
import { strictEntry } from '../support/wallabag-entry.js';

const WORDS = 'Every plain sentence of this article is there to be read on a small grey screen. ';
const NEW = 'https://new.example/page';

let host: PublicHost;
let app: TestApp;
let lists: ListsOnPostgres;
let api: ReadingListApi;
let visitor: PageVisitor;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  visitor = await aVisitor(app, api.user);
});
afterEach(async () => {
  expect(await lists.faults(api.user.id)).toEqual([]);
});

const article = (title: string): string =>
  `<title>${title}</title><article><h1>${title}</h1><p>Lamps burn late. ${WORDS.repeat(20)}</article>`;

const edited = async (id: string, fields: Record<string, string>): Promise<Response> =>
  visitor.submit(await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`), fields);

const MOVED = /^\/read\/(\d+)\?done=address-changed$/;

/** Changes the address of an item. Returns the new id. */
async function moved(
  id: string,
  url: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const location = locationOf(await edited(id, { url, ...fields }));
  expect(location).toMatch(MOVED);
  return MOVED.exec(location)?.[1] ?? '';
}

/** The times, the states and the texts that belong to the user. */
const personal = ({
  status,
  favorite,
  time_added,
  time_read,
  time_favorited,
  note,
}: ItemResponse) => ({
  ...{ status, favorite, time_added, time_read, time_favorited, note },
});

describe('an item with another address', () => {
  it('keeps what the user has added, but not the reading position', async () => {
    const id = await api.saved('https://old.example/page', { html: article('Old'), tags: 'b,a' });
    const annotation = { annotation_id: 'mine', quote: 'grey screen', patch: 'grey', note: 'Why?' };
    const item = { item_id: id };
    await api.results(
      { action: 'archive', ...item, time: 1_700_000_100 },
      { action: 'favorite', ...item, time: 1_700_000_200 },
      { action: 'set_note', ...item, note: 'Read it twice' },
      { action: 'add_annotation', ...item, annotation, time: 1_700_000_300 },
    );
    const highlight = { quote: 'Lamps burn late.', before: '', note: '', color: 'blue' };
    const { _csrf = '' } = (await visitor.form(`/read/${id}/edit`, `/read/${id}/edit`)).fields;
    await visitor.post(`/read/${id}/highlights`, { _csrf, ...highlight }).expect(303);
    await visitor.post(`/read/${id}/position`, { _csrf, percent: '50' }).expect(303);
    const before = (await api.item(id))!;
    const colorOf = async (itemId: string) =>
      /<li id="note-[^"]+" data-color="blue">/.test(
        (await visitor.open(`/read/${itemId}`).expect(200)).text,
      );
    expect(await colorOf(id)).toBe(true);

    const next = await moved(id, NEW);

    const after = (await api.item(next))!;
    expect(personal(after)).toEqual(personal(before));
    expect(after.given_url).toBe(NEW);
    expect(tagsOf(after)).toEqual(['a', 'b']);
    // One of them is the note of the item, whose annotation id contains the item id.
    expect(JSON.stringify(after.annotations)).toBe(
      JSON.stringify(before.annotations).replaceAll(id, next),
    );
    expect(after.annotations).toHaveLength(3);
    expect(await colorOf(next)).toBe(true);
    const [place] = await app.database.query('SELECT FROM reading_positions WHERE user_id = $1', [
      api.user.id,
    ]);
    expect(place).toBeUndefined();
    expect(locationOf(await visitor.open(`/read/${id}`).expect(307))).toBe(`/read/${next}`);
  });

  it('keeps its position among items of the same second, and its tags keep their counts', async () => {
    const time = 1_700_000_000;
    const urls = ['a', 'b', 'c'].map((name) => `https://order.example/${name}`);
    await api.sent(...urls.map((url) => ({ action: 'add', url, time, tags: 'all' })));
    const id = (await api.items({ sort: 'oldest' }))[1]?.item_id ?? '';

    await moved(id, NEW);

    const order = (await api.items({ sort: 'oldest' })).map(({ given_url: url }) => url);
    expect(order).toEqual([urls[0], NEW, urls[2]]);
    expect((await api.items({ tag: 'all' })).length).toBe(3);
  });

  it('is a deleted item and a new item for clients, and not in the trash', async () => {
    const calls = await WallabagCalls.of(app, { v3: api });
    const origin_url = 'https://found.example/';
    const saved = await calls.saved({ url: 'https://old.example/x', public: 1, origin_url });
    const entry = strictEntry(saved);
    const id = (await api.items())[0]?.item_id ?? '';

    const next = await moved(id, NEW);

    const { list } = await api.found({ since: AN_HOUR_AGO });
    expect(list).toMatchObject({ [id]: { status: '2' }, [next]: { status: '0' } });
    await calls.call('get', `entries/${entry.id}`).expect(404);
    const { body } = await calls.call('get', 'entries').expect(200);
    expect(body._embedded.items).toMatchObject([
      { url: NEW, origin_url, is_public: false, uid: null },
    ]);
    expect(body._embedded.items[0].id).not.toBe(entry.id);
    expect(shownText(await visitor.open('/list/trash').expect(200))).toContain(
      'The trash is empty',
    );
  });

  it('gets the new page, and its words are found', async () => {
    host.answer(ok(article('The old lighthouse')));
    const id = await api.saved(host.url(`/old-${api.user.id}`));
    host.answer(ok(article('The new harbour')));

    const location = locationOf(await edited(id, { url: host.url(`/new-${api.user.id}`) }));

    const page = await visitor.open(location).expect(200);
    expect(shownText(page, '[role=status]')).toContain(
      'The address is changed. Satchel fetches the page again.',
    );
    await until(async () => (await api.items({ search: 'harbour' })).length === 1, 'the new page');
    expect(await api.items({ search: 'lighthouse' })).toEqual([]);
  });
});

describe('the title of an item with another address', () => {
  const titleAfter = async (url: string, fields: Record<string, string>): Promise<string> => {
    const [{ item_id: id } = { item_id: '' }] = await api.items();
    const next = await moved(id, url, fields);
    await until(async () => (await api.item(next))?.resolved_id !== '0', 'the new page');
    return headingOf(await visitor.open(`/read/${next}`).expect(200));
  };
  const aNewUrl = (): string => host.url(`/titled-${api.user.id}`);

  beforeEach(async () => {
    host.answer(ok(article('The new page')));
    await api.saved(host.url(`/first-${api.user.id}`), {
      title: 'From an app',
      html: article('Old'),
    });
  });

  it('is the title of the new page if the user has not set one', async () => {
    expect(await titleAfter(aNewUrl(), {})).toBe('The new page');
  });

  it('is the title that the user has set before', async () => {
    await edited((await api.items())[0]?.item_id ?? '', { title: 'Mine' });

    expect(await titleAfter(aNewUrl(), {})).toBe('Mine');
  });

  it('is the title that the user sets together with the address', async () => {
    expect(await titleAfter(aNewUrl(), { title: 'Mine now', tags: 'x' })).toBe('Mine now');
    expect((await api.items({ tag: 'x' })).length).toBe(1);
  });

  it('is the title of the new page if the user empties the field', async () => {
    await edited((await api.items())[0]?.item_id ?? '', { title: 'Mine' });

    expect(await titleAfter(aNewUrl(), { title: '' })).toBe('The new page');
  });
});
