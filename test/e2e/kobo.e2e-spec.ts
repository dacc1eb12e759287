import sharp from 'sharp';
import request, { type Test } from 'supertest';

import type { ArticleResponse } from '../../src/articles/article.presenter.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SAVED = 33;
const PICTURES = ['/photo.jpg', '/photo.webp', '/photo.avif', '/drawing.png'];

/** The answer of get, as far as a device parses it. */
interface KoboList {
  readonly status: number;
  readonly complete: number;
  readonly since: number;
  readonly total: number | string;
  readonly list: Record<string, ItemResponse>;
}

/** The paths of the firmware since September 2025, and of the earlier one. */
const LAYOUTS = [
  {
    get: '/api/kobo/get',
    send: '/api/kobo/send',
    text: '/api/kobo/download',
    total: SAVED,
    whole: true,
  },
  { get: '/v3/get', send: '/v3/send', text: '/v3beta/text', total: String(SAVED), whole: false },
] as const;

let site: PictureSite;
let app: TestApp;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 4, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

/** Fetches bytes of any content type. */
const fetched = (url: string): Test =>
  request(url)
    .get('')
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        done(null, Buffer.concat(chunks));
      });
    });

describe.each(LAYOUTS)('a Kobo e-reader that calls $get', ({ get, send, text, total, whole }) => {
  let api: ReadingListApi;

  /** Posts JSON with the charset that the firmware declares. */
  const post = (path: string, members: object): Test =>
    request(app.url)
      .post(path)
      .set('Content-Type', 'application/json; charset=utf8')
      .send(JSON.stringify({ ...api.credentials, ...members }));

  const page = async (members: object): Promise<KoboList> =>
    (
      await post(get, {
        ...{ contentType: 'article', count: '30', detailType: 'complete', offset: '0' },
        ...{ state: 'unread', total: '1', since: null, ...members },
      }).expect(200)
    ).body as KoboList;

  const download = async (url: string): Promise<ArticleResponse> =>
    (
      await request(app.url)
        .post(text)
        .type('form')
        .send({ ...api.credentials, url, images: '1', refresh: '0', output: 'json' })
        .expect(200)
    ).body as ArticleResponse;

  const saveArticles = async (): Promise<void> => {
    const urls = Array.from({ length: SAVED }, (_, n) =>
      site.article(`article-${n}`, ...(n === 0 ? PICTURES : [])),
    );
    await api.results(...urls.map((url, n) => ({ action: 'add', url, time: 1_763_800_000 - n })));
    for (const url of urls) {
      await api.post('/v3/text', { url }).expect(200);
    }
  };

  it('synchronizes, downloads articles with pictures, archives, and synchronizes again', async () => {
    api = await ReadingListApi.of(app);
    await saveArticles();

    const first = await page({});
    const second = await page({ offset: '30' });

    expect([first.status, first.complete, first.total, second.total]).toEqual([1, 1, total, total]);
    const items = [...Object.values(first.list), ...Object.values(second.list)];
    expect(Object.keys(first.list)).toHaveLength(30);
    expect(new Set(items.map(({ item_id }) => item_id)).size).toBe(SAVED);

    for (const item of items.slice(0, 3)) {
      const article = await download(item.given_url);

      expect(article.item_id).toBe(item.item_id);
      expect(article.article).toContain('Every plain sentence');
      expect(article.article).not.toContain('<img');
    }
    const { article, images } = await download(items[0]!.resolved_url);
    expect(Array.from(article.matchAll(/<!--IMG_(\d)-->/g), ([, n]) => n)).toEqual([
      ...['1', '2', '3', '4'],
    ]);
    const shown = await Promise.all(Object.values(images).map(({ src }) => fetched(src)));
    expect(shown.map(({ status, type }) => `${status} ${type}`)).toEqual([
      ...['200 image/jpeg', '200 image/jpeg', '200 image/jpeg', '200 image/png'],
    ]);
    const sizes = shown.map(async ({ body }) => sharp(body as Buffer).metadata());
    expect((await Promise.all(sizes)).map(({ width, height }) => [width, height])).toEqual([
      ...[
        [1264, 843],
        [640, 480],
        [320, 240],
        [500, 400],
      ],
    ]);

    const [archived, deleted] = items.map(({ item_id }) => item_id);
    const { body } = await post(send, {
      actions: [
        { action: 'archive', item_id: archived },
        { action: 'delete', item_id: deleted },
        { action: 'favorite', item_id: items[2]!.item_id },
      ],
    }).expect(200);
    expect(body).toMatchObject({ status: 1, action_results: [true, true, true] });

    const delta = await page({ since: second.since });
    expect(delta.complete).toBe(0);
    expect(
      Object.fromEntries(Object.entries(delta.list).map(([id, { status }]) => [id, status])),
    ).toEqual({
      ...(whole && { [archived!]: '1', [deleted!]: '2' }),
      [items[2]!.item_id]: '0',
    });
    const idle = await page({ since: delta.since });
    expect(idle.list).toEqual({});
  });

  it('gets error 401 for an invalid access token', async () => {
    api = await ReadingListApi.of(app);

    const { status, headers } = await post(get, { access_token: 'none' });

    expect([status, headers['x-error-code'], headers['x-source']]).toEqual([401, '107', 'Pocket']);
  });
});
