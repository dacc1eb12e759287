import { PictureKeeper } from '../../src/articles/images/picture-keeper.service.js';
import { until } from './processes.js';
import type { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

/** Returns the HTML of a page that only its reader can open, with a picture. */
export const privatePage = (picture: string): string => {
  const text = `<p>${'Only I may read these words. '.repeat(40)}</p>`;
  return `<article>${text}<img src="${picture}">${text}</article>`;
};

const signal = new AbortController().signal;

/** Returns the service that keeps the pictures of an instance. */
export const keeperOf = ({ app }: TestApp): PictureKeeper => app.get(PictureKeeper);

/** Saves a page and waits until its article is stored. Returns the id of its item. */
export async function savedArticle(
  api: ReadingListApi,
  url: string,
  members: { readonly html?: string } = {},
): Promise<string> {
  const itemId = await api.saved(url, members);
  await api.post('/v3beta/text', { url }).expect(200);
  return itemId;
}

/** Waits until each picture of the stored articles is stored, or has failed once. */
export async function allTried({ database }: TestApp): Promise<void> {
  await until(async () => {
    const left = await database.query(
      `SELECT FROM picture_users WHERE changes <> handled
       UNION ALL SELECT FROM pictures WHERE due_at IS NOT NULL AND (attempts = 0 OR leased_until IS NOT NULL)`,
    );
    return left.length === 0;
  }, 'the end of all fetches of pictures');
}

/** Returns the addresses of the pictures that the database contains, without the site. */
export async function storedPictures({ database }: TestApp, site: string): Promise<string[]> {
  const rows = await database.query<{ url: string }>(
    `SELECT url FROM pictures WHERE image IS NOT NULL ORDER BY url`,
  );
  return rows.map(({ url }) => url.replace(site, ''));
}

/** Deletes the pictures that are in no article any more, as the service does regularly. */
export const swept = (app: TestApp): Promise<void> => keeperOf(app).sweep(signal);

/** Lists and counts the pictures of all users. */
export async function listAll(keeper: PictureKeeper): Promise<void> {
  while (await keeper.listNext()) {
    // Each call lists the pictures of some items of a user.
  }
}

/** Lists, fetches and counts all pictures that are due. */
export async function keepAllPictures(keeper: PictureKeeper): Promise<void> {
  await listAll(keeper);
  while (await keeper.keepNext(signal)) {
    // Each call fetches one picture.
  }
  await listAll(keeper);
}
