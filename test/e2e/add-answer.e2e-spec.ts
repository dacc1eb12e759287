import type { AddedItemResponse } from '../../src/reading-list/add/add.presenter.js';
import { readPage } from '../support/read-page.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_TO_ADD = 'https://www.example.com/page';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const added = async (members: object = {}): Promise<AddedItemResponse> =>
  (await api.add({ url: URL_TO_ADD, ...members }).expect(200)).body.item;

describe('the response of /v3/add', () => {
  it('contains the item and a status as JSON', async () => {
    const { body, headers, text } = await api.add({ url: URL_TO_ADD }).expect(200);

    expect(body).toEqual({ item: expect.objectContaining({ given_url: URL_TO_ADD }), status: 1 });
    expect(text).toBe(JSON.stringify(body));
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-source': 'Pocket' });
  });

  it('is also JSON if the client requests JSON with X-Accept', async () => {
    const { body } = await api
      .add({ url: URL_TO_ADD })
      .set({ 'X-Accept': 'application/json', 'Content-Type': 'application/json; charset=UTF8' })
      .expect(200);

    expect(body.item.given_url).toBe(URL_TO_ADD);
  });
});

describe('the item in the response of /v3/add before its page is fetched', () => {
  const FIELDS: [keyof AddedItemResponse, unknown][] = [
    ['normal_url', URL_TO_ADD],
    ['resolved_id', '0'],
    ['extended_item_id', '0'],
    ['resolved_url', URL_TO_ADD],
    ['domain_id', '0'],
    ['origin_domain_id', '0'],
    ['response_code', '0'],
    ['mime_type', ''],
    ['content_length', '0'],
    ['encoding', ''],
    ['date_resolved', '0000-00-00 00:00:00'],
    ['date_published', '0000-00-00 00:00:00'],
    ['title', 'Given'],
    ['excerpt', ''],
    ['word_count', '0'],
    ['innerdomain_redirect', '0'],
    ['login_required', '0'],
    ['has_image', '0'],
    ['has_video', '0'],
    ['is_index', '0'],
    ['is_article', '0'],
    ['used_fallback', '0'],
    ['lang', ''],
    ['time_first_parsed', '0'],
    ['authors', []],
    ['images', []],
    ['videos', []],
    ['resolved_normal_url', URL_TO_ADD],
    ['given_url', URL_TO_ADD],
  ];

  it.each(FIELDS)('has %s: %j', async (field, value) => {
    expect((await added({ title: 'Given' }))[field]).toEqual(value);
  });

  it('has an item_id that /v3/get and /v3/send accept', async () => {
    const { item_id: itemId } = await added();

    expect(itemId).toMatch(/^\d{16}$/);
    expect(await api.item(itemId)).toMatchObject({ item_id: itemId });
    expect(await api.results({ action: 'archive', item_id: itemId })).toEqual([true]);
  });

  it('has no other fields', async () => {
    const names = FIELDS.map(([name]) => name);

    expect(Object.keys(await added()).sort()).toEqual([...names, 'item_id'].sort());
  });

  it('has its URL as the title if no title is sent', async () => {
    expect((await added()).title).toBe(URL_TO_ADD);
  });
});

describe('the item in the response of /v3/add after its page is fetched', () => {
  const resolvedId = '4503599627370500';
  const image = { src: 'https://example.com/1.png', width: 640, height: 480, credit: '' };
  const video = { src: 'https://video.example/v', width: 1, height: 2, type: 1, vid: 'v' };
  const page = {
    resolved_id: resolvedId,
    resolved_url: 'https://example.com/long',
    resolved_title: 'Found',
    excerpt: 'First lines',
    lang: 'en',
    is_article: 1,
    is_index: 1,
    has_image: 1,
    has_video: 2,
    word_count: 830,
    top_image_url: image.src,
    media: {
      authors: [{ id: '17', name: 'Ada', url: '' }],
      images: [{ ...image, caption: 'A cat' }],
      videos: [{ ...video, length: 9 }],
    },
  } as const;
  let item: AddedItemResponse;

  beforeEach(async () => {
    const itemId = await api.saved(URL_TO_ADD);
    await readPage(app, { userId: api.user.id, itemId, page });
    item = await added({ title: 'Given' });
  });

  it('contains the data of the page', () => {
    expect(item).toMatchObject({
      resolved_id: resolvedId,
      resolved_url: 'https://example.com/long',
      excerpt: 'First lines',
      word_count: '830',
      lang: 'en',
      has_image: '1',
      has_video: '2',
      is_index: '1',
      is_article: '1',
      top_image_url: image.src,
      given_url: URL_TO_ADD,
    });
  });

  it('has the title of the page, not the title that the client sent', async () => {
    expect(item.title).toBe('Found');
    expect((await api.items())[0]).toMatchObject({ resolved_title: 'Found' });
  });

  it('has authors, images and videos as objects', () => {
    const ofPage = { item_id: resolvedId };

    expect(item.authors).toEqual({ 17: { author_id: '17', name: 'Ada', url: '' } });
    expect(item.images).toEqual({
      1: { ...ofPage, image_id: '1', ...image, width: '640', height: '480', caption: 'A cat' },
    });
    expect(item.videos).toEqual({
      1: { ...ofPage, video_id: '1', ...video, width: '1', height: '2', type: '1', length: '9' },
    });
  });

  it('does not contain tags, status, favorite or time_added', async () => {
    const itemId = await api.saved(URL_TO_ADD, { tags: 'mine' });
    await api.sent({ action: 'favorite', item_id: itemId });

    for (const name of ['tags', 'status', 'favorite', 'time_added']) {
      expect(await added()).not.toHaveProperty(name);
    }
  });
});
