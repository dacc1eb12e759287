import sharp from 'sharp';
import request from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
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
  api = await ReadingListApi.of(app);
});
afterAll(async () => {
  await app.close();
  await site.stop();
});

async function savedAndRead(url: string): Promise<void> {
  await api.saved(url);
  await api.post('/v3beta/text', { url }).expect(200);
}

/** Returns the addresses of the pictures in the list. */
async function thumbnails(): Promise<string[]> {
  const visitor = await aVisitor(app, api.user);
  const page = await visitor.open('/list?sort=oldest').expect(200);
  return [...parseDocument(page.text).body.querySelectorAll('.items img')].map(
    (image) => image.getAttribute('src') ?? '',
  );
}

describe('the thumbnail of an item in the list', () => {
  it('is served by the service in a small size at a signed address', async () => {
    const url = site.article('with-a-photo', '/photo.jpg');
    await savedAndRead(url);
    const before = site.asked.length;

    const [path = ''] = await thumbnails();
    expect(site.asked).toHaveLength(before);
    const { body, headers } = await request(app.url).get(path).expect(200);
    await request(app.url).get(path).expect(200);

    const { width, height } = await sharp(body as Buffer).metadata();
    expect({ width, height }).toEqual({ width: 192, height: 144 });
    expect(headers).toMatchObject({
      ...{ 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=86400, immutable' },
    });
    expect(site.asked.slice(before)).toEqual(['/photo.jpg']);
  });

  it('has a larger version at an address with the same signature', async () => {
    const url = site.article('with-a-card', '/photo.jpg');
    await savedAndRead(url);
    const path = (await thumbnails()).at(-1) ?? '';

    const { body } = await request(app.url).get(`${path}/large`).expect(200);

    const { width, height } = await sharp(body as Buffer).metadata();
    expect({ width, height }).toEqual({ width: 480, height: 360 });
    await request(app.url)
      .get(`${path.slice(0, -1)}/large`)
      .expect(404);
  });

  it('does not replace the large picture of the article', async () => {
    const url = site.article('with-both', '/photo.webp');
    await savedAndRead(url);
    const path = (await thumbnails()).at(-1) ?? '';
    await request(app.url).get(path).expect(200);

    const { body } = await api.post('/v3beta/text', { url }).expect(200);
    const [{ src }] = Object.values((body as { images: object }).images) as [{ src: string }];
    const large = await request(app.url).get(src.slice(app.url.length)).expect(200);

    expect((await sharp(large.body as Buffer).metadata()).width).toBe(640);
  });

  it('returns 404 for a changed address, another picture of the item, or a deleted item', async () => {
    const url = site.article('with-a-drawing', '/drawing.png');
    await savedAndRead(url);
    const path = (await thumbnails()).at(-1) ?? '';
    const [, , , user = '', item = '', signature = ''] = path.split('/');
    const other = (await thumbnails())[0]?.split('/')[4];
    const at = (...parts: string[]) =>
      request(app.url).get(`/images/thumbnails/${parts.join('/')}`);

    await at(user, item, signature).expect(200);
    await at(user, other ?? '', signature).expect(404);
    await at('999', item, signature).expect(404);
    await at(user, item, signature.toLowerCase()).expect(404);
    await at(user, "1'", signature).expect(404);
    await request(app.url).get(`/images/${item}/1/${signature}`).expect(404);
    await app.database.query(
      `UPDATE items SET top_image_url = top_image_url || 'x', media = NULL WHERE item_id = $1`,
      [item],
    );
    await at(user, item, signature).expect(404);
    await api.send([{ action: 'delete', item_id: item }]).expect(200);
    await at(user, item, signature).expect(404);
  });
});
