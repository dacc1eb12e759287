import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { readPage } from '../support/read-page.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_OF_ARTICLE = 'https://t.example/short';
const URL_OF_PENDING = 'http://example.com/pending?a=1&b=2';

const IMAGE = { src: 'https://example.com/1.png', width: 640, height: 480 };
const VIDEO = { src: 'https://video.example/v', width: 1, height: 2, type: 1, vid: 'v', length: 9 };
const MEDIA = {
  authors: [{ id: '17', name: 'Ada', url: 'https://example.com/ada' }],
  images: [
    { ...IMAGE, credit: 'Bob', caption: 'A cat' },
    { ...IMAGE, src: 'https://example.com/2.png', credit: '', caption: '' },
  ],
  videos: [VIDEO],
};

let app: TestApp;
let api: ReadingListApi;
/** An archived favorite with an extracted article, and an item whose page has not been fetched. */
let articleId: string;
let pendingId: string;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  articleId = await api.saved(URL_OF_ARTICLE, {
    title: 'Given',
    tags: 'one,Two',
    time: 1_700_000_000,
  });
  pendingId = await api.saved(URL_OF_PENDING, { time: 1_600_000_000 });
  await api.sent(
    { action: 'favorite', item_id: articleId, time: 1_700_000_001 },
    { action: 'archive', item_id: articleId, time: 1_700_000_002 },
  );
  await readPage(app, {
    userId: api.user.id,
    itemId: articleId,
    page: {
      resolved_id: '4503599627370500',
      resolved_url: 'https://example.com/long',
      resolved_title: 'Found',
      excerpt: 'First lines',
      lang: 'en',
      is_article: 1,
      has_image: 1,
      has_video: 2,
      word_count: 2665,
      top_image_url: IMAGE.src,
      media: MEDIA,
    },
  });
});
afterAll(() => app.close());

const complete = async (itemId: string): Promise<ItemResponse> => {
  const items = await api.items({ detailType: 'complete', item: itemId });
  return items[0]!;
};

describe('an item of GET /v3/get', () => {
  const resolvedId = '4503599627370500';
  const OF_ARTICLE: [keyof ItemResponse, unknown][] = [
    ['resolved_id', resolvedId],
    ['given_url', URL_OF_ARTICLE],
    ['resolved_url', 'https://example.com/long'],
    ['given_title', 'Given'],
    ['resolved_title', 'Found'],
    ['favorite', '1'],
    ['status', '1'],
    ['excerpt', 'First lines'],
    ['is_article', '1'],
    ['is_index', '0'],
    ['has_image', '1'],
    ['has_video', '2'],
    ['word_count', '2665'],
    ['lang', 'en'],
    ['time_added', '1700000000'],
    ['time_favorited', '1700000001'],
    ['time_read', '1700000002'],
    ['time_updated', expect.stringMatching(/^\d{10}$/)],
    ['time_to_read', 12],
    ['listen_duration_estimate', 1032],
    ['top_image_url', IMAGE.src],
    ['sort_id', 0],
    ['domain_metadata', { name: 'example.com' }],
  ];

  it.each(OF_ARTICLE)('has the field %s with the value %j', async (field, value) => {
    expect((await complete(articleId))[field]).toEqual(value);
  });

  it('has an item_id of 16 digits, which is also its key in the list', async () => {
    const { list } = await api.found({ item: articleId });

    expect(Object.keys(list)).toEqual([articleId]);
    expect(list[articleId]!.item_id).toBe(articleId);
    expect(articleId).toMatch(/^\d{16}$/);
    expect(Number.isSafeInteger(Number(articleId))).toBe(true);
  });

  it('has its tags as an object keyed by tag', async () => {
    expect((await complete(articleId)).tags).toEqual({
      one: { item_id: articleId, tag: 'one' },
      Two: { item_id: articleId, tag: 'Two' },
    });
  });

  it('has its authors as an object keyed by author id', async () => {
    const author = { author_id: '17', name: 'Ada', url: 'https://example.com/ada' };

    expect((await complete(articleId)).authors).toEqual({ 17: { item_id: resolvedId, ...author } });
  });

  it('has its images as an object numbered from 1, and the first one also as image', async () => {
    const { images, image } = await complete(articleId);

    const size = { width: '640', height: '480' };
    const credits = { credit: 'Bob', caption: 'A cat' };
    const [first, second] = [IMAGE.src, 'https://example.com/2.png'];
    expect(image).toEqual({ item_id: resolvedId, src: first, ...size });
    expect(images).toEqual({
      1: { item_id: resolvedId, image_id: '1', src: first, ...size, ...credits },
      2: { item_id: resolvedId, image_id: '2', src: second, ...size, credit: '', caption: '' },
    });
  });

  it('has its videos as an object numbered from 1', async () => {
    const { src } = VIDEO;
    const texts = { width: '1', height: '2', type: '1', vid: 'v', length: '9' };

    expect((await complete(articleId)).videos).toEqual({
      1: { item_id: resolvedId, video_id: '1', src, ...texts },
    });
  });
});

describe('an item of GET /v3/get whose page is not fetched yet', () => {
  it('has all fields, with default values for those of the page', async () => {
    expect(await complete(pendingId)).toEqual({
      item_id: pendingId,
      resolved_id: '0',
      given_url: URL_OF_PENDING,
      given_title: '',
      favorite: '0',
      status: '0',
      time_added: '1600000000',
      time_updated: expect.stringMatching(/^\d{10}$/),
      time_read: '0',
      time_favorited: '0',
      sort_id: 0,
      resolved_title: URL_OF_PENDING,
      resolved_url: URL_OF_PENDING,
      excerpt: '',
      is_article: '0',
      is_index: '0',
      has_video: '0',
      has_image: '0',
      word_count: '0',
      lang: '',
      time_to_read: 0,
      tags: {},
      domain_metadata: { name: 'example.com' },
      listen_duration_estimate: 0,
    });
  });

  it('has the given title as resolved_title', async () => {
    const itemId = await api.saved('https://example.com/titled', { title: 'Mine' });

    expect(await complete(itemId)).toMatchObject({ given_title: 'Mine', resolved_title: 'Mine' });
  });
});

describe('GET /v3/get with the parameter detailType', () => {
  const DETAILS = ['tags', 'authors', 'image', 'images', 'videos', 'domain_metadata'];
  const detailsShown = async (members: object): Promise<string[]> => {
    const [item] = await api.items({ item: articleId, ...members });
    return DETAILS.filter((name) => name in item!);
  };

  it.each([undefined, 'simple', 'SIMPLE', '', null])('%j returns no details', async (value) => {
    expect(await detailsShown({ detailType: value })).toEqual([]);
  });

  it.each(['complete', 'Complete'])('%j returns all details', async (value) => {
    expect(await detailsShown({ detailType: value })).toEqual(DETAILS);
  });

  it.each([
    ['tags', ['tags']],
    ['authors', ['authors']],
    ['images', ['image', 'images']],
    ['videos', ['videos']],
    ['meta', ['domain_metadata']],
  ])('can be replaced by the parameter %s', async (member, shown) => {
    expect(await detailsShown({ [member]: 1 })).toEqual(shown);
    expect(await detailsShown({ [member]: '1' })).toEqual(shown);
    expect(await detailsShown({ [member]: '0' })).toEqual([]);
  });

  it.each(['full', 1, [], {}])('%j returns 400', async (value) => {
    const { body } = await api.get({ detailType: value }).expect(400);

    expect(body).toMatchObject({ status: 0, code: 130 });
    expect(body.error).toContain('detailType');
  });
});

describe('a tag with the name of an object property', () => {
  it.each(['__proto__', 'constructor', 'toString'])('is returned: %s', async (tag) => {
    const itemId = await api.saved(`https://example.com/${tag}`, { tags: tag });

    const { text } = await api.get({ item: itemId, tags: 1 }).expect(200);

    expect(text).toContain(`"tags":{"${tag}":{"item_id":"${itemId}","tag":"${tag}"}}`);
  });
});
