import { rmSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import request, { type Response } from 'supertest';

import { UserRepository } from '../../src/auth/user.repository.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { Database } from '../../src/platform/database/database.js';
import { BackgroundWork } from '../../src/platform/jobs/background-work.js';
import {
  allTried,
  privatePage,
  savedArticle,
  storedPictures,
  swept,
} from '../support/kept-pictures.js';
import { aVisitor } from '../support/oauth-api.js';
import { PictureSite } from '../support/picture-site.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;

beforeEach(async () => {
  site = await PictureSite.served();
  app = await anApp({ keepsPictures: true });
  api = await ReadingListApi.of(app);
});
afterEach(async () => {
  await app.close();
  await site.stop();
});

const anApp = (config: Partial<TestApp['config']>): Promise<TestApp> =>
  aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
      ...config,
    },
  });

/** Ends the site, and deletes the whole cache of pictures. */
function loseTheSite(): void {
  site.isGone = true;
  rmSync(join(app.config.dataDirectory, 'images'), { recursive: true, force: true });
}

/** Returns the paths of the pictures on a page that the user opens. */
async function picturesOn(path: string, selector: string): Promise<string[]> {
  const page = await (await aVisitor(app, api.user)).open(path).expect(200);
  return [...parseDocument(page.text).body.querySelectorAll(selector)].map(
    (image) => image.getAttribute('src') ?? '',
  );
}

async function sizesOf(paths: readonly string[]): Promise<string[]> {
  const sizes: string[] = [];
  for (const path of paths) {
    const { status, body }: Response = await request(app.url).get(path);
    const { width, height } = status === 200 ? await sharp(body as Buffer).metadata() : {};
    sizes.push(status === 200 ? `${width} × ${height}` : String(status));
  }
  return sizes;
}

const bookOf = async (itemId: string) => {
  const path = `/read/${itemId}/export.epub`;
  const { body } = await (await aVisitor(app, api.user)).open(path).responseType('blob');
  return readEpub(body as Buffer);
};

const deleteAccount = ({ user }: ReadingListApi): Promise<unknown> =>
  app.app.get(Database).transaction((manager) => UserRepository.in(manager).deleteAccount(user.id));

describe('pictures of an article whose site is gone', () => {
  it('are shown by the reader, the list and the book', async () => {
    const itemId = await savedArticle(api, site.article('a', '/photo.jpg', '/drawing.png'));
    expect(Object.keys(app.app.get(BackgroundWork).reports())).toContain('PictureKeeper');
    await allTried(app);
    loseTheSite();
    const before = site.asked.length;

    expect(await sizesOf(await picturesOn(`/read/${itemId}`, 'article img'))).toEqual([
      '1264 × 843',
      '500 × 400',
    ]);
    expect(await sizesOf(await picturesOn('/list', '.items img'))).toEqual(['192 × 144']);
    expect(Object.keys((await bookOf(itemId)).pictures)).toHaveLength(2);
    expect(site.asked).toHaveLength(before);
  });

  it('are lost if the setting is off', async () => {
    await app.close();
    app = await anApp({ keepsPictures: false });
    api = await ReadingListApi.of(app);
    const itemId = await savedArticle(api, site.article('a', '/photo.jpg'));
    const paths = await picturesOn(`/read/${itemId}`, 'article img');
    expect(await sizesOf(paths)).toEqual(['1264 × 843']);
    loseTheSite();

    expect(await sizesOf(paths)).toEqual(['404']);
    expect(await app.database.query('SELECT FROM pictures')).toEqual([]);
    expect(Object.keys(app.app.get(BackgroundWork).reports())).not.toContain('PictureKeeper');
  });

  it('are shown even if a fetch has failed before they were stored', async () => {
    site.isGone = true;
    const html = privatePage(`${site.url}/drawing.png`);
    const itemId = await savedArticle(api, 'https://paper.example/mine', { html });
    const paths = await picturesOn(`/read/${itemId}`, 'article img');
    await allTried(app);
    expect(await sizesOf(paths)).toEqual(['404']);
    const [image] = await app.database.query(
      `UPDATE pictures SET image = $1, due_at = NULL RETURNING url`,
      [
        await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ],
    );
    expect(image).toEqual({ url: `${site.url}/drawing.png` });

    expect(await sizesOf(paths)).toEqual(['3 × 2']);
  });
});

describe('a stored picture', () => {
  it('is shared by users and articles', async () => {
    const bob = await ReadingListApi.of(app);
    await savedArticle(api, site.article('a', '/photo.jpg'));
    await allTried(app);
    await savedArticle(bob, site.article('a', '/photo.jpg'));
    await savedArticle(bob, site.article('b', '/photo.jpg', '/drawing.png'));
    await allTried(app);

    expect(await storedPictures(app, site.url)).toEqual(['/drawing.png', '/photo.jpg']);
    expect(site.timesAsked('/photo.jpg')).toBe(1);
  });

  it('is fetched once by two instances', async () => {
    const other = await aTestApp({ beside: app });
    const pictures = ['/photo.jpg', '/photo.webp', '/photo.avif', '/drawing.png', '/upright.jpg'];
    await savedArticle(api, site.article('a', ...pictures));
    await savedArticle(api.at(other), site.article('b', ...pictures));
    await allTried(app);
    await other.close();

    expect(await storedPictures(app, site.url)).toEqual(pictures.toSorted());
    expect(pictures.map((path) => site.timesAsked(path))).toEqual(pictures.map(() => 1));
  });

  it('is deleted with the last account that has its article', async () => {
    const html = privatePage(`${site.url}/drawing.png`);
    const bob = await ReadingListApi.of(app);
    await savedArticle(api, 'https://paper.example/mine', { html });
    await savedArticle(bob, 'https://paper.example/mine', { html });
    await allTried(app);

    await deleteAccount(api);
    await swept(app);
    expect(await storedPictures(app, site.url)).toEqual(['/drawing.png']);
    await deleteAccount(bob);
    await swept(app);

    expect(await app.database.query('SELECT FROM pictures')).toEqual([]);
  });
});

describe('hostile pictures', () => {
  it('are not stored, and change nothing else', async () => {
    const other = await PictureSite.served();
    const hostile = ['/broken.jpg', '/huge.png', '/heavy.jpg', '/text.jpg', '/nothing-there'];
    const prying = [`${other.url}/photo.jpg`, `/away?${other.url}/photo.jpg`];
    const itemId = await savedArticle(
      api,
      site.article('a', ...hostile, ...prying, '/drawing.png', 'data:image/png;base64,AAAA'),
    );
    await allTried(app);

    expect(await storedPictures(app, site.url)).toEqual(['/drawing.png']);
    const paths = await picturesOn(`/read/${itemId}`, 'article img[src^="/images/"]');
    expect(await sizesOf(paths)).toEqual(
      [...hostile, ...prying].map(() => '404').concat('500 × 400'),
    );
    await other.stop();
    expect(other.asked).toEqual([]);
    expect(app.log()).not.toMatch(/"level":[56]0/);
  });
});
