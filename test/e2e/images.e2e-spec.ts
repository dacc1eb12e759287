import sharp from 'sharp';
import request, { type Test } from 'supertest';

import type { ArticleResponse } from '../../src/articles/article.presenter.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
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

/** Returns the picture paths of an article, as sent to an e-reader. */
async function picturesOf(name: string, ...pictures: string[]): Promise<string[]> {
  return picturesFor(api, name, ...pictures);
}

async function picturesFor(
  reader: ReadingListApi,
  name: string,
  ...pictures: string[]
): Promise<string[]> {
  const url = site.article(name, ...pictures);
  await reader.saved(url);
  const { body } = await reader.post('/v3beta/text', { url }).expect(200);
  return Object.values((body as ArticleResponse).images).map(({ src }) => {
    expect(src.startsWith(`${app.url}/images/`)).toBe(true);
    return src.slice(app.url.length);
  });
}

const show = (path: string): Test => request(app.url).get(path);

describe('a picture of an article', () => {
  it('is returned without credentials and can be cached for a day', async () => {
    const [path] = await picturesOf('one-picture', '/drawing.png');

    const { headers } = await show(path!).expect(200);

    expect(headers).toMatchObject({
      ...{ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
      'cache-control': 'private, max-age=86400, immutable',
    });
  });

  it('is fetched from its site once, even if it is requested several times', async () => {
    const [path] = await picturesOf('popular', '/photo.webp');
    const [again] = await picturesOf('popular-too', '/photo.webp');

    const shown = await Promise.all([path!, path!, again!].map(show));
    shown.push(await show(path!));

    expect(shown.map(({ status, type }) => `${status} ${type}`)).toEqual(
      Array.from({ length: 4 }, () => '200 image/jpeg'),
    );
    expect(site.timesAsked('/photo.webp')).toBe(1);
  });

  it('is rotated to its upright orientation', async () => {
    const [path] = await picturesOf('turned', '/upright.jpg');

    const { body } = await show(path!).expect(200);

    const { width, height, exif } = await sharp(body as Buffer).metadata();
    expect([width, height, exif]).toEqual([200, 400, undefined]);
  });

  it('is shown as a painted picture if it is a drawing', async () => {
    const [path] = await picturesOf('drawn', '/vector.svg');

    const { headers, body } = await show(path!).expect(200);

    expect(headers['content-type']).toBe('image/png');
    expect((await sharp(body as Buffer).metadata()).format).toBe('png');
  });

  it.each(['/broken.jpg', '/huge.png', '/text.jpg', '/nothing-there', '/status-000'])(
    'returns 404 if it cannot be displayed: %s',
    async (picture) => {
      const [path] = await picturesOf(`with${picture.replaceAll(/\W/g, '-')}`, picture);

      await show(path!).expect(404);
      await show(path!).expect(404);

      expect(site.timesAsked(picture)).toBe(1);
      expect(app.log()).not.toMatch(/"level":[56]0/);
    },
  );

  it('is not fetched from a local address that is not allowed', async () => {
    const other = await PictureSite.served();
    const [path] = await picturesOf('prying', `${other.url}/photo.jpg`);

    await show(path!).expect(404);

    await other.stop();
    expect(other.asked).toEqual([]);
  });
});

describe('pictures of a site that does not respond', () => {
  it('do not delay the pictures of another user', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `/held-${at}.png`);
    const slow = await picturesOf('slow', ...names);
    const [fast] = await picturesFor(await ReadingListApi.of(app), 'fast', '/photo.avif');
    let answered = 0;
    const waiting = slow.map(async (path) => {
      const { status } = await show(path);
      answered += 1;
      return status;
    });
    await until(() => site.asked.some((path) => path.startsWith('/held-')));

    await show(fast!).expect(200);

    expect(answered).toBe(0);
    const releasing = setInterval(() => {
      site.release();
    }, 20);
    expect(await Promise.all(waiting)).toEqual(names.map(() => 404));
    clearInterval(releasing);
  });
});

describe('the address of a picture', () => {
  it('returns 404 if it was changed or invented', async () => {
    const [first, second] = await picturesOf('signed', '/photo.jpg', '/drawing.png');
    const [, , page, number, signature] = first!.split('/');
    const changed = signature!.replace(/^./, (start) => (start === 'A' ? 'B' : 'A'));

    const made = [
      `/images/${page}/${number}/${changed}`,
      `/images/${page}/2/${signature}`,
      `/images/${Number(page) + 1}/${number}/${signature}`,
      `/images/${page}/3/${signature}`,
      `/images/${page}/0/${signature}`,
      `/images/${page}/${number}/${signature}A`,
      `/images/${page}/${number}/`,
      `/images/99999999999999999999/1/${signature}`,
      `/images/x/1/${signature}`,
      `/images?url=${site.url}/photo.jpg`,
    ];
    const statuses = await Promise.all(made.map(async (path) => (await show(path)).status));

    expect(statuses).toEqual(made.map(() => 404));
    await show(second!).expect(200);
    expect(site.timesAsked('/photo.jpg')).toBe(0);
  });

  it('stops working when the item whose page the client sent is deleted', async () => {
    const url = 'https://paper.example/mine';
    const html = `<article><p>${'Only I may read these words. '.repeat(40)}</p><img src="${site.url}/drawing.png"><p>${'And these. '.repeat(40)}</p></article>`;
    const itemId = await api.saved(url, { html });
    const { body } = await api.post('/v3beta/text', { url }).expect(200);
    const path = (body as ArticleResponse).images['1']!.src.slice(app.url.length);
    await show(path).expect(200);

    await api.results({ action: 'delete', item_id: itemId });

    await show(path).expect(404);
  });

  it('contains the host of the request, but not an invalid host', async () => {
    const url = site.article('called', '/drawing.png');
    await api.saved(url);
    const called = async (host: string): Promise<string> =>
      ((await api.post('/v3beta/text', { url }).set('Host', host)).body as ArticleResponse).images[
        '1'
      ]!.src;

    expect(await called('text.getpocket.com')).toMatch(/^http:\/\/text\.getpocket\.com\/images\//);
    expect(await called('a"b')).toMatch(/^\/images\//);
  });
});
