import type { ArticleResponse } from '../../src/articles/article.presenter.js';
import { PictureSite } from '../support/picture-site.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const text = async (members: object): Promise<ArticleResponse> =>
  (await api.post('/v3/text', members).expect(200)).body as ArticleResponse;

describe('POST /v3/text for an item with an article', () => {
  it('returns the fields of the page, and the article with markers for its pictures', async () => {
    const url = site.article('garden-path', '/photo.jpg', '/drawing.png');
    const itemId = await api.saved(url);

    const article = await text({ url });

    const item = (await api.item(itemId))!;
    expect(article).toMatchObject({
      ...{ item_id: itemId, given_url: url, resolvedUrl: url, resolved_id: item.resolved_id },
      ...{ title: item.resolved_title, excerpt: item.excerpt, lang: 'en', host: '127.0.0.1' },
      ...{ wordCount: Number(item.word_count), time_to_read: item.time_to_read },
      ...{ isArticle: 1, isVideo: 0, isIndex: 0, requiresLogin: 0, responseCode: '200' },
      ...{ mime_type: 'text/html', encoding: 'UTF-8', has_old_dupes: '0' },
      ...{ images: item.images, videos: {}, authors: {} },
      date_resolved: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(article.images['1']!.src).toBe(`${site.url}/photo.jpg`);
    expect(article.article).toMatch(/sentence.*<!--IMG_1-->.*sentence.*<!--IMG_2-->/s);
    expect(article.article).not.toContain('<img');
  });

  it.each([
    [0, '<!--IMG_1-->'],
    [1, '<!--IMG_1-->'],
    ['2', '<div id="RIL_IMG_1" class="RIL_IMG"></div>'],
    [3, '<!--IMG_1-->'],
  ])('marks pictures for images=%s with %s', async (images, mark) => {
    const url = site.article('marked-page', '/photo.jpg');
    await api.saved(url);

    const { article } = await text({ url, images });

    expect(article).toContain(mark);
  });

  it('finds the item by another spelling of its URL and by its redirect target', async () => {
    const itemId = await api.saved(`${site.url}/moved?from-here`);

    const spelt = await text({ url: `${site.url}/moved?from-here#part` });
    const led = await text({ url: `${site.url}/arrived?from-here` });

    expect(spelt.resolvedUrl).toBe(`${site.url}/arrived?from-here`);
    expect([spelt.item_id, led.item_id]).toEqual([itemId, itemId]);
  });

  it('finds the item by its redirect target, even if another user has saved that target', async () => {
    const itemId = await api.saved(`${site.url}/moved?for-two`, { time: 1_600_000_000 });
    await text({ url: `${site.url}/moved?for-two` });
    const other = await ReadingListApi.of(app);
    const led = `${site.url}/arrived?for-two`;
    await other.saved(led);
    await other.post('/v3/text', { url: led }).expect(200);

    expect((await text({ url: led })).item_id).toBe(itemId);
    expectRefusal(await (await ReadingListApi.of(app)).post('/v3/text', { url: led }), 404, 198);
  });

  it('waits for the page if it is not fetched yet', async () => {
    const url = site.article('just-sent');
    await api.results({ action: 'add', url });

    expect((await text({ url })).article).toContain('Every plain sentence');
  });

  it('returns the article of the page that the client sent', async () => {
    const url = 'https://paper.example/behind-a-login';
    const html = `<title>Mine</title><article><p>${'Only I may read these words here. '.repeat(40)}</article>`;
    await api.saved(url, { html });

    expect((await text({ url })).article).toContain('Only I may read these words');
  });
});

describe('POST /v3/text without an article', () => {
  it('returns 404 for an item of another user and for an unknown URL', async () => {
    const url = site.article('of-another');
    const other = await ReadingListApi.of(app);
    await other.saved(url);
    await other.post('/v3/text', { url }).expect(200);

    expectRefusal(await api.post('/v3/text', { url }), 404, 198);
    expectRefusal(await api.post('/v3/text', { url: 'https://nobody.example/' }), 404, 198);
    expect(site.timesAsked('/of-another')).toBe(1);
  });

  it('returns 404 for a deleted item', async () => {
    const url = site.article('deleted-soon');
    const itemId = await api.saved(url);
    await api.results({ action: 'delete', item_id: itemId });

    expectRefusal(await api.post('/v3/text', { url }), 404, 198);
  });

  it('returns 415 for a picture', async () => {
    const url = `${site.url}/photo.jpg`;
    await api.saved(url);

    expectRefusal(await api.post('/v3/text', { url }), 415, 130);
  });

  it('returns 415 for a page that cannot be fetched', async () => {
    const url = 'http://127.0.0.1:1/nowhere';
    await api.saved(url);

    expectRefusal(await api.post('/v3/text', { url }), 415, 130);
  });

  it('returns 503 with Retry-After for a page whose server is busy', async () => {
    const url = `${site.url}/busy`;
    await api.saved(url);

    const response = await api.post('/v3/text', { url });

    expectRefusal(response, 503, 199);
    expect(response.headers['retry-after']).toBe('10');
  });

  it.each([
    {},
    { url: 'mailto:ada@example.com' },
    { url: 7 },
    { url: 'https://a.example/', images: 9 },
  ])('returns 400 for %j', async (members) => {
    expectRefusal(await api.post('/v3/text', members), 400, 130);
  });
});
