import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { shownStorage } from '../support/a-full-list.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import {
  allTried,
  privatePage,
  savedArticle,
  storedPictures,
  swept,
} from '../support/kept-pictures.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { readEpub } from '../support/read-epub.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { scrape, WITH_METRICS } from '../support/scrape.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const FULL = /Your storage is almost full, so Satchel stores no new pictures/;

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let lists: ListsOnPostgres;

beforeEach(async () => {
  site = await PictureSite.served();
  app = await anApp(5_000_000_000);
  lists = await ListsOnPostgres.start(app.database);
  api = await ReadingListApi.of(app);
});
afterEach(async () => {
  expect(await lists.faults(api.user.id)).toEqual([]);
  await lists.dataSource.destroy();
  await app.close();
  await site.stop();
});

const anApp = (storageLimitBytes: number): Promise<TestApp> =>
  aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000, keepsPictures: true, storageLimitBytes },
      ...WITH_METRICS,
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });

const accountText = async (): Promise<string> =>
  shownText(await (await aVisitor(app, api.user)).open('/account').expect(200));

/** Returns the size of the pictures that the account page shows. */
const shownPictures = async (): Promise<string | undefined> =>
  /Pictures of articles: ([\d.]+ \w+)/.exec(await accountText())?.[1];

async function act(action: 'delete' | 'undo_delete', item: string): Promise<void> {
  const visitor = await aVisitor(app, api.user);
  const csrf = formIn(await visitor.open('/save').expect(200), '/save').fields;
  const { status } = await visitor.post('/list/actions', { ...csrf, action, item, back: '/list' });
  expect(status).toBe(303);
}

async function emptyTrash(): Promise<void> {
  const visitor = await aVisitor(app, api.user);
  const form = formIn(await visitor.open('/list/trash/empty').expect(200), '/list/trash/empty');
  expect((await visitor.submit(form, {})).status).toBe(303);
}

it('pictures count while their article is in the list or in the trash', async () => {
  const itemId = await savedArticle(api, site.article('a', '/photo.jpg', '/drawing.png'));
  expect(await shownPictures()).toBeUndefined();
  await allTried(app);
  const size = await shownPictures();
  const shown = await shownStorage(app, api);
  const [stored] = await app.database.query<{ bytes: number }>(
    'SELECT sum(octet_length(image))::int AS bytes FROM pictures',
  );
  expect(size).toBe(`${Math.round(stored!.bytes / 100) / 10} KB`);

  await act('delete', itemId);
  expect(await shownPictures()).toBe(size);
  await act('undo_delete', itemId);
  await allTried(app);
  expect([await shownPictures(), await shownStorage(app, api)]).toEqual([size, shown]);
  await act('delete', itemId);
  await emptyTrash();

  expect(await shownPictures()).toBeUndefined();
  expect(await lists.faults(api.user.id)).toEqual([]);
});

it('a user whose storage is almost full keeps the article, but not its pictures, and sees it', async () => {
  await lists.dataSource.destroy();
  await app.close();
  app = await anApp(5300);
  lists = await ListsOnPostgres.start(app.database);
  api = await ReadingListApi.of(app);
  await savedArticle(api, site.article('a', '/photo.jpg'));
  await allTried(app);

  expect(await accountText()).toMatch(FULL);
  expect(await shownPictures()).toBeUndefined();
  await api.saved('https://next.example/');
  const asked = site.timesAsked('/drawing.png');
  await savedArticle(api, site.article('b', '/drawing.png'));
  await allTried(app);
  expect(site.timesAsked('/drawing.png')).toBe(asked);
  await swept(app);
  const metrics = await scrape(app.url);
  expect(metrics.value('satchel_kept_pictures_full_users')).toBe(1);
  expect(metrics.value('satchel_kept_pictures_limit_bytes')).toBe(20_000_000_000);
});

it('a private page keeps its pictures in the trash, also if their site is gone', async () => {
  const html = privatePage(`${site.url}/drawing.png`);
  const itemId = await savedArticle(api, 'https://paper.example/mine', { html });
  await allTried(app);
  const size = await shownPictures();
  expect(size).toMatch(/^\d+ bytes$/);
  await act('delete', itemId);
  site.isGone = true;
  await swept(app);
  expect(await storedPictures(app, site.url)).toEqual(['/drawing.png']);
  expect(await shownPictures()).toBe(size);

  await act('undo_delete', itemId);
  await allTried(app);
  await swept(app);

  expect(await storedPictures(app, site.url)).toEqual(['/drawing.png']);
  await act('delete', itemId);
  await emptyTrash();
  await swept(app);
  expect(await storedPictures(app, site.url)).toEqual([]);
});

it('books of an article whose site is gone contain the stored bytes of its pictures', async () => {
  const itemId = await savedArticle(api, site.article('a', '/photo.jpg', '/drawing.png'));
  await allTried(app);
  await site.stop();
  rmSync(join(app.config.dataDirectory, 'images'), { recursive: true, force: true });
  const stored = await app.database.query<{ image: Buffer }>('SELECT image FROM pictures');
  const [item] = await app.database.query<{ number: number }>('SELECT number FROM items');
  const visitor = await aVisitor(app, api.user);
  const wallabag = await WallabagCalls.of(app, { v3: api });
  const device = await CatalogueReader.of(app, api.user);

  const books = [
    await visitor.open(`/read/${itemId}/export.epub`).responseType('blob'),
    await wallabag.call('get', `entries/${item!.number}/export.epub`).responseType('blob'),
    await device.get(`/opds/items/${itemId}/a.epub`).responseType('blob'),
  ];

  expect(stored).toHaveLength(2);
  for (const { body } of books) {
    const { pictures } = await readEpub(body as Buffer);
    expect(sorted(Object.values(pictures))).toEqual(sorted(stored.map(({ image }) => image)));
  }
  site = await PictureSite.served();
});

const sorted = (images: readonly Buffer[]): string[] =>
  images.map((image) => image.toString('base64')).toSorted();
