import { byteSizeText } from '../../src/reading-list/storage/byte-size.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader } from '../support/duplicate-reader.js';
import { ImportApi } from '../support/import-api.js';
import { allTried, savedArticle } from '../support/kept-pictures.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let lists: ListsOnPostgres;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000, keepsPictures: true },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});
afterEach(async () => {
  expect(await lists.faults(api.user.id)).toEqual([]);
});

/** Returns the size of the pictures that the account page shows, after all of them were counted. */
async function shownPictures(): Promise<string | undefined> {
  await allTried(app);
  const page = await (await aVisitor(app, api.user)).open('/account').expect(200);
  return /Pictures of articles: ([\d.]+ \w+)/.exec(shownText(page))?.[1];
}

/** Returns the size of stored pictures of the site as a text. */
async function sizeOf(...paths: string[]): Promise<string> {
  const [row] = await app.database.query<{ bytes: number }>(
    `SELECT sum(octet_length(image))::int AS bytes FROM pictures WHERE url = ANY ($1)`,
    [paths.map((path) => `${site.url}${path}`)],
  );
  return byteSizeText(row!.bytes);
}

async function emptyTrash(): Promise<void> {
  const visitor = await aVisitor(app, api.user);
  const form = formIn(await visitor.open('/list/trash/empty').expect(200), '/list/trash/empty');
  expect((await visitor.submit(form, {})).status).toBe(303);
}

describe('the storage of a user', () => {
  it('counts the pictures of the new address of an item, and not those of the old one', async () => {
    const itemId = await savedArticle(api, site.article('a', '/photo.jpg'));
    expect(await shownPictures()).toBe(await sizeOf('/photo.jpg'));
    const visitor = await aVisitor(app, api.user);
    const url = site.article('b', '/drawing.png');
    const form = { _csrf: await visitor.csrfToken(), title: '', tags: '', was: '', url };

    await visitor.post(`/read/${itemId}/edit`, form).expect(303);
    await api.post('/v3beta/text', { url }).expect(200);

    expect(await shownPictures()).toBe(await sizeOf('/drawing.png'));
  });

  it('counts the pictures of duplicates once, also after they were merged', async () => {
    const short = await savedArticle(api, site.article('moved', '/photo.jpg', '/photo.webp'));
    const target = await savedArticle(api, site.article('arrived', '/photo.jpg', '/photo.webp'));
    const reader = await DuplicateReader.at(app, lists, api);
    const before = await shownPictures();
    const size = await sizeOf('/photo.jpg', '/photo.webp');

    expect(await reader.merge(target, short)).toMatch(/^Merged/);
    const merged = await shownPictures();
    await emptyTrash();

    expect([before, merged, await shownPictures()]).toEqual([size, size, size]);
  });

  it('does not count the pictures of an import that was undone', async () => {
    await savedArticle(api, site.article('own', '/drawing.png'));
    const imports = new ImportApi(app, api);
    const url = site.article('imported', '/drawing.png', '/upright.jpg');
    const { id } = await imports.imported(`title,url,time_added,tags,status\nT,${url},5,,unread`);
    await api.post('/v3beta/text', { url }).expect(200);
    expect(await shownPictures()).toBe(await sizeOf('/drawing.png', '/upright.jpg'));

    await imports.undone(id);

    expect(await shownPictures()).toBe(await sizeOf('/drawing.png'));
  });
});

it('a picture that was given up is stored if its page is fetched again, even without changes', async () => {
  const itemId = await savedArticle(api, site.article('again', '/photo.avif'));
  const size = await shownPictures();
  await app.database.query(
    `UPDATE pictures SET image = NULL, attempts = 6 WHERE url LIKE '%/photo.avif';
     DELETE FROM picture_shares WHERE user_id = ${api.user.id};
     UPDATE lists SET may_store_less = true WHERE user_id = ${api.user.id};
     UPDATE pages SET fetched_at = fetched_at - interval '1 day', pictures_at = pictures_at - interval '1 day'`,
  );
  expect(await shownPictures()).toBeUndefined();
  const version = await api.item(itemId);
  const visitor = await aVisitor(app, api.user);

  await visitor.post(`/read/${itemId}/fetch`, { _csrf: await visitor.csrfToken() }).expect(303);
  await allTried(app);

  expect(await api.item(itemId)).toEqual(version);
  expect(await shownPictures()).toBe(size);
});
