import { readEpub } from '../support/read-epub.js';
import type { ReadingListApi } from '../support/reading-list-api.js';
import { tagsOf } from '../support/reading-list-api.js';
import { AndroidApp, AndroidRefusal } from '../support/wallabag-clients/android.js';
import { androidSettings } from '../support/wallabag-clients/android-pages.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { ClientWorld, numbered, pageAt, savePages } from '../support/wallabag-clients/world.js';

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;
let phone: AndroidApp;

beforeAll(async () => {
  world = await ClientWorld.begin();
});
afterAll(() => world.end());
beforeEach(async () => {
  ({ v3, settings } = await world.user());
  phone = new AndroidApp(settings);
});
afterEach(() => {
  phone.device.close();
});

const namesOn = ({ articles }: AndroidApp): string[] =>
  [...articles.values()].map(({ given_url: url }) => new URL(url).pathname.slice(1));

describe("wallabag's Android app", () => {
  it('is set up with only an address and a password', async () => {
    const own = new AndroidApp(await androidSettings(world.app, settings));

    expect(await own.test()).toBe(true);
    await savePages(v3, 'one');
    await own.fullSync();

    expect(namesOn(own)).toEqual(['one']);
    own.device.close();
  });

  it('gets the whole list page by page in its first sync, and changes in the next sync', async () => {
    await savePages(v3, ...numbered(65));
    await phone.fullSync();
    expect(namesOn(phone)).toEqual(numbered(65));
    const calls = phone.device.sinceLast().filter((one) => one.includes('/api/entries.json'));
    expect(calls).toHaveLength(3);

    const url = pageAt('page-7');
    await v3.results(
      { action: 'archive', url },
      { action: 'favorite', url },
      { action: 'tags_add', url, tags: 'later' },
    );
    await savePages(v3, 'new');
    await phone.fastSync();

    const changed = [...phone.articles.values()].find(({ given_url: given }) => given === url);
    expect(changed).toMatchObject({ is_archived: true, is_starred: true });
    expect(changed?.tags).toEqual([expect.objectContaining({ label: 'later' })]);
    expect([namesOn(phone).at(-1), phone.articles.size]).toEqual(['new', 66]);
    expect(phone.tags).toEqual(['later']);
    phone.device.sinceLast();
    await phone.fastSync();
    expect(phone.device.sinceLast()).toHaveLength(2);
  });

  it('saves, changes, tags, annotates and deletes an entry', async () => {
    await phone.test();
    const saved = await phone.save(pageAt('saved'));
    await phone.change(saved.id, { archive: '1' });
    await phone.change(saved.id, { starred: '1' });
    const { tags } = await phone.change(saved.id, { tags: 'One, two' });
    const noted = await phone.annotate(saved.id, {
      ...{ text: 'a note', quote: 'a quote' },
      ranges: [{ start: '/p[1]', end: '/p[1]', startOffset: 0, endOffset: 7 }],
    });
    const again = await phone.save(pageAt('saved'));

    expect(tags.map(({ label }) => label).toSorted()).toEqual(['one', 'two']);
    expect(again).toMatchObject({ id: saved.id, is_archived: true, is_starred: true });
    expect(again.annotations).toEqual([noted]);
    const one = tags.find(({ label }) => label === 'one');
    await phone.untag(saved.id, one?.id ?? 0);
    const [item] = await v3.items({ state: 'archive', detailType: 'complete', annotations: 1 });
    expect([item?.favorite, tagsOf(item), item?.annotations?.length]).toEqual(['1', ['two'], 1]);
    await phone.delete(saved.id);
    expect(await v3.items({ state: 'all' })).toEqual([]);
  });

  it('finds deleted entries by the hashes of their URLs, also in a long list', async () => {
    const odd = ['a%20b', 'caf%C3%A9?a=1&b=%2B', 'ü+x'];
    await savePages(v3, ...numbered(150), ...odd);
    await phone.fullSync();
    await v3.results(
      ...['page-3', 'page-149', odd[1]!].map((name) => ({ action: 'delete', url: pageAt(name) })),
    );

    phone.device.sinceLast();
    await phone.sweep();

    const left = new Set([...phone.articles.values()].map(({ given_url: url }) => url));
    expect(left.size).toBe(150);
    for (const name of ['page-3', 'page-149', odd[1]!]) {
      expect(left).not.toContain(pageAt(name));
    }
    expect(phone.device.sinceLast()).toHaveLength(1 + 3 + 3);
    await phone.sweep();
    expect(phone.device.sinceLast()).toHaveLength(1);
  });

  it('downloads an EPUB book', async () => {
    const { id } = await phone.save(pageAt('book'));

    expect((await readEpub(await phone.book(id))).chapters).toHaveLength(1);
  });

  it('refreshes an expired access token, and logs in again if the refresh token has expired', async () => {
    await savePages(v3, 'one');
    await phone.fullSync();
    await world.expireTokens(v3, 'access');
    phone.device.sinceLast();
    await phone.fastSync();
    expect(phone.device.sinceLast().filter((one) => one.includes('/oauth'))).toHaveLength(1);

    await world.expireTokens(v3, 'all');
    await savePages(v3, 'two');
    await phone.fastSync();

    expect(phone.device.sinceLast().filter((one) => one.includes('/oauth'))).toHaveLength(2);
    expect(namesOn(phone)).toEqual(['one', 'two']);
  });

  it('gets 400 for a wrong password or a wrong client secret', async () => {
    for (const wrong of [{ password: 'wrong' }, { clientSecret: 'wrong' }]) {
      const other = new AndroidApp({ ...settings, ...wrong });
      await expect(other.fullSync()).rejects.toMatchObject({ status: 400 });
      other.device.close();
    }
  });

  it('treats the deletion of a missing entry as done', async () => {
    const { id } = await phone.save(pageAt('gone'));
    await v3.results({ action: 'delete', url: pageAt('gone') });

    await phone.delete(id);

    expect(phone.articles.size).toBe(0);
    await expect(phone.change(id, { archive: '1' })).rejects.toEqual(new AndroidRefusal(404));
  });

  it('can save any shared URL, because a rejection would block its queue', async () => {
    const { title } = await phone.save('http://no-such-host.invalid/');

    expect(title).toBe('no-such-host.invalid');
    await phone.save(pageAt('%E2%82'));
    await phone.save('https://example.com/' + 'long'.repeat(400));
    expect(await v3.items({ state: 'all' })).toHaveLength(3);
  });
});
