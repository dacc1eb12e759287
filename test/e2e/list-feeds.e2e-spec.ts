import request, { type Test } from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import type { ListFeed } from '../../src/reading-list/entities/saved-list.entity.js';
import { SavedLists } from '../../src/reading-list/saved-lists/saved-lists.service.js';
import { PictureSite } from '../support/picture-site.js';
import { readAtom } from '../support/read-feed.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let lists: SavedLists;
let start: string;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  lists = app.app.get(SavedLists);
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  start = await addressOf(api);
  await api.saved('https://sea.example/a', { tags: 'sea', title: 'At sea' });
  await api.saved('https://land.example/b', { tags: 'land', title: 'On land' });
});

/** Creates a feed address. Returns `/feeds/TOKEN/list/`. */
async function addressOf({ user }: ReadingListApi): Promise<string> {
  const feeds = app.app.get(FeedsService);
  await feeds.issueFirst(user);
  return (await feeds.pathsOf(user.id))!.tags.replace(/tag\/$/, 'list/');
}

const saved = async (
  name: string,
  conditions: Record<string, string> = { tag: 'sea' },
  feed: ListFeed | null = 'excerpts',
): Promise<string> =>
  (await lists.create(api.user.id, { name, conditions, feed, isPinned: false, isShelf: false })).id;

const get = (file: string, headers: Record<string, string> = {}): Test =>
  request(app.url).get(`${start}${file}`).set(headers);

async function atom(file: string): Promise<ReturnType<typeof readAtom> & { text: string }> {
  const { body } = await get(file).buffer(true).responseType('blob').expect(200);
  const text = (body as Buffer).toString();
  return { ...readAtom(text), text };
}

const names = async (file: string): Promise<string[]> =>
  (await atom(file)).entries.map(({ links }) => new URL(links['alternate']!).pathname.slice(1));

interface JsonItem {
  readonly content_text?: string;
  readonly content_html?: string;
}
const json = async (file: string): Promise<JsonItem[]> =>
  ((await get(file).expect(200)).body as { items: JsonItem[] }).items;

describe('the feed of a saved list', () => {
  it('contains the items of the list', async () => {
    await saved('By the sea');

    const feed = await atom('By%20the%20sea.atom');

    expect(feed).toMatchObject({
      title: 'By the sea · Satchel',
      links: { self: `${app.url}${start}By%20the%20sea.atom` },
    });
    expect(await names('by%20the%20SEA.atom')).toEqual(['a']);
    expect(await json('By%20the%20sea.json')).toEqual([
      expect.objectContaining({ content_text: 'At sea' }),
    ]);
  });

  it.each(['a/b', 'x.atom', '?#%', 'ß', '日本'])('works for the name %s', async (name) => {
    await saved(name);

    const { links } = await atom(`${encodeURIComponent(name)}.atom`);

    expect(links['self']).toBe(`${app.url}${start}${encodeURIComponent(name)}.atom`);
  });

  it('is the same 404 without a feed, list, user or understood condition', async () => {
    await saved('Off', { tag: 'sea' }, null);
    await saved('Later', { tag: 'sea', mood: 'calm' });
    await saved('Mine');
    const other = await ReadingListApi.of(app);
    const theirs = await addressOf(other);

    const answers = [
      await get('Off.atom'),
      await get('Later.atom'),
      await get('Nothing.atom'),
      await get('Mine.xml'),
      await get('Mine'),
      await get('%00.atom'),
      await request(app.url).get(`${theirs}Mine.atom`),
      await request(app.url).get(`/feeds/${'x'.repeat(48)}/list/Mine.atom`),
    ];

    const shapes = answers.map(({ status, body, headers }) =>
      JSON.stringify([status, body, headers['etag'], headers['cache-control']]),
    );
    expect(new Set(shapes).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
  });

  it('ends with the switch and with the list, and returns with them', async () => {
    const id = await saved('Mine');
    const { id: feedId } = await atom('Mine.atom');
    const { etag = '' } = (await get('Mine.atom').expect(200)).headers;

    await lists.edit(api.user.id, id, { feed: null });
    await get('Mine.atom', { 'If-None-Match': etag }).expect(404);
    await lists.edit(api.user.id, id, { feed: 'excerpts' });
    await get('Mine.atom', { 'If-None-Match': etag }).expect(304);
    await lists.delete(api.user.id, id);
    await get('Mine.atom', { 'If-None-Match': etag }).expect(404);
    await lists.restore(api.user.id, id);
    expect((await atom('Mine.atom')).id).toBe(feedId);
    await lists.edit(api.user.id, id, { name: 'Renamed' });
    expect((await atom('Renamed.atom')).id).toBe(feedId);
    await get('Mine.atom').expect(404);
    await app.app.get(FeedsService).revoke(api.user);
    await get('Renamed.atom').expect(404);
  });

  it('has another ETag after a change of items, conditions, switch or progress', async () => {
    const id = await saved('Mine');
    const etags = new Set<string | undefined>();
    const note = async (): Promise<void> => {
      const { headers } = await get('Mine.atom').expect(200);
      expect(headers).not.toHaveProperty('last-modified');
      await get('Mine.atom', { 'If-None-Match': headers['etag'] ?? '' }).expect(304);
      etags.add(headers['etag']);
    };

    await note();
    await api.saved('https://sea.example/c', { tags: 'sea' });
    await note();
    await lists.edit(api.user.id, id, { conditions: { tag: 'sea', state: 'unread' } });
    await note();
    await lists.edit(api.user.id, id, { feed: 'articles' });
    await note();
    await lists.edit(api.user.id, id, { conditions: { progress: 'unstarted' } });
    await note();
    await app.database.query(
      `INSERT INTO reading_positions (user_id, item_id, fraction, updated_at)
       SELECT user_id, item_id, 0.5, now() FROM items WHERE user_id = $1 AND given_url LIKE '%/c'`,
      [api.user.id],
    );
    await note();

    expect(etags.size).toBe(6);
    expect(await names('Mine.atom')).toEqual(['b', 'a']);
  });
});

describe('whole articles in a feed', () => {
  it('have pictures that load without a login', async () => {
    const url = site.article('with-picture', '/photo.jpg');
    const itemId = await api.saved(url, { tags: 'pictures' });
    await api.post('/v3/text', { url }).expect(200);
    await saved('Pictures', { tag: 'pictures' }, 'articles');

    const [item] = await json('Pictures.json');

    expect(item!.content_html).toMatch(/<p[^>]*>Every plain sentence/);
    expect(item!.content_text).toBeUndefined();
    const [, picture = ''] = /<img src="([^"]+)"/.exec(item!.content_html!) ?? [];
    expect(picture).toMatch(new RegExp(`^${app.url}/images/`));
    await request(picture).get('').expect(200).expect('content-type', 'image/jpeg');
    const { text, entries } = await atom('Pictures.atom');
    expect(text).toContain('&lt;p id=&quot;p-0&quot;&gt;Every plain sentence');
    expect(entries[0]!.links['related']).toBe(`${app.url}/read/${itemId}`);
  });

  it('are safe, and are missing in a feed with excerpts', async () => {
    const itemId = await api.saved('https://sea.example/evil', { tags: 'evil' });
    const evil =
      '<p onclick="x()">Text ]]&gt; <script>alert(1)</script><a href="javascript:x">y</a></p>';
    await storeArticle(app.database, api.user.id, itemId, evil);
    const id = await saved('Evil', { tag: 'evil' }, 'articles');

    const [item] = await json('Evil.json');
    const { text } = await atom('Evil.atom');

    expect(item!.content_html).toContain('Text ]]');
    expect(item!.content_html).not.toMatch(/script|onclick/);
    expect(text).not.toMatch(/<script|onclick/);
    await lists.edit(api.user.id, id, { feed: 'excerpts' });
    expect((await json('Evil.json'))[0]).not.toHaveProperty('content_html');
  });

  it('are replaced with a link if they are too long', async () => {
    const long = `<p>${'a long article '.repeat(20_000)}</p>`;
    const itemId = await api.saved('https://sea.example/long', { tags: 'long' });
    await storeArticle(app.database, api.user.id, itemId, long);
    await saved('Long', { tag: 'long' }, 'articles');

    const [item] = await json('Long.json');

    expect(item!.content_html).toContain('The article is too long for this feed.');
    expect(item!.content_html).toContain(`href="${app.url}/read/${itemId}"`);
  });

  it('fill a feed of bounded size', async () => {
    const half = `<p>${'word '.repeat(38_000)}</p>`;
    for (let at = 0; at < 13; at += 1) {
      const itemId = await api.saved(`https://sea.example/${at}`, { tags: 'many' });
      await storeArticle(app.database, api.user.id, itemId, half);
    }
    await saved('Many', { tag: 'many' }, 'articles');

    const items = await json('Many.json');

    const cut = items.filter(({ content_html: html = '' }) => html.includes('too long'));
    expect([items.length, cut.length]).toEqual([13, 3]);
  });
});
