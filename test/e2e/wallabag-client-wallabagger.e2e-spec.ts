import { headersOf } from '../support/breaking.js';
import { until } from '../support/processes.js';
import { type ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import type { Settings } from '../support/wallabag-clients/device.js';
import { Wallabagger } from '../support/wallabag-clients/wallabagger.js';
import { ClientWorld, pageAt, savePages } from '../support/wallabag-clients/world.js';

let world: ClientWorld;
let v3: ReadingListApi;
let settings: Settings;
let browser: Wallabagger;

beforeAll(async () => {
  world = await ClientWorld.begin();
});
afterAll(() => world.end());
beforeEach(async () => {
  ({ v3, settings } = await world.user());
  browser = new Wallabagger(settings);
});
afterEach(() => {
  browser.device.close();
});

describe('the Wallabagger browser extension', () => {
  it('finds the version of the server, requires a client ID and secret, and logs in', async () => {
    expect(await browser.checkAddress()).toEqual({ version: '2.6.14', asksForClient: true });
    await browser.logIn();
  });

  it('saves the page of a tab, finds it again, changes it and deletes it', async () => {
    const url = `${pageAt('caf%C3%A9')}?a=1&b=%2B`;
    expect(await browser.has(`${url}#part`)).toBe(false);
    const saved = await browser.save({ url });
    expect(await browser.has(`${url}#part`)).toBe(true);

    await browser.change(saved.id, { title: 'Ein Café' });
    await browser.change(saved.id, { starred: 1 });
    const { tags } = await browser.change(saved.id, { tags: 'news,To Read' });
    await browser.change(saved.id, { archive: 1 });
    const again = await browser.save({ url });

    expect(again).toMatchObject({
      ...{ id: saved.id, title: 'Ein Café', is_archived: 1, is_starred: 1 },
      domain_name: 'example.com',
    });
    expect(await browser.tags()).toEqual(['news', 'to read']);
    const news = tags.find(({ label }) => label === 'news');
    expect((await browser.untag(saved.id, news?.id ?? 0)).tags).toHaveLength(1);
    const [item] = await v3.items({ state: 'archive', detailType: 'complete' });
    expect([item?.resolved_title, tagsOf(item)]).toEqual(['Ein Café', ['To Read']]);
    await browser.delete(saved.id);
    expect(await browser.has(url)).toBe(false);
    await expect(browser.delete(saved.id)).rejects.toMatchObject({ status: 404 });
  });

  it('saves all pages of a window at once, each with its tag', async () => {
    const urls = ['one', 'two', 'three'].map(pageAt);
    await browser.logIn();

    await Promise.all(urls.map((url) => browser.save({ url, tags: 'window', archive: 1 })));

    const items = await v3.items({ state: 'archive', detailType: 'complete' });
    expect(items.map(({ given_url: url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(items.map(tagsOf)).toEqual([['window'], ['window'], ['window']]);
  });

  it('saves the content of a page behind a login', async () => {
    const content = `<article><p>${'Only members read this. '.repeat(40)}</p></article>`;

    const saved = await browser.save({
      ...{ url: pageAt('members'), title: 'For members', content },
      origin_url: pageAt('found-here'),
    });

    expect(saved.title).toBe('For members');
    await until(async () => {
      const { body } = await v3.post('/v3/text', { url: pageAt('members') });
      return String(body.article).includes('Only members read this.');
    });
  });

  it('logs in again when its token has expired', async () => {
    await browser.logIn();
    await world.expireTokens(v3, 'all');

    await browser.save({ url: pageAt('late') });

    expect(await v3.names()).toEqual(['late']);
  });

  it('gets the status of each rejected request', async () => {
    const wrong = new Wallabagger({ ...settings, clientSecret: 'wrong' });
    await expect(wrong.logIn()).rejects.toMatchObject({ status: 400 });
    wrong.device.close();
    await savePages(v3, 'one');

    await expect(browser.save({ url: '' })).rejects.toMatchObject({ status: 400 });
    await expect(browser.change(999, { starred: 1 })).rejects.toMatchObject({ status: 404 });
  });

  it('gets no response without Access-Control-Allow-Origin', async () => {
    const closed = headersOf((headers) => {
      delete headers['access-control-allow-origin'];
    });
    const other = new Wallabagger(world.broken(settings, closed));

    await expect(other.logIn()).rejects.toThrow('an answer for this origin');
    other.device.close();
  });
});
