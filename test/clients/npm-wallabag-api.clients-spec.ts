import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describeClient } from '../support/client-source.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

interface Article {
  readonly id: number;
  readonly tags: readonly { readonly label: string }[];
}
interface List {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly _embedded: { readonly items: readonly Article[] };
}
/** The functions of the package that the tests call. */
interface Package {
  getApiVersion(): Promise<string>;
  getApplicationToken(name: string, password: string): Promise<unknown>;
  refreshToken(): Promise<unknown>;
  saveArticle(url: string): Promise<Article>;
  entryExists(url: string): Promise<unknown>;
  getArticle(id: number): Promise<Article>;
  getArticles(filter: object): Promise<List>;
  saveTitle(id: number, title: string): Promise<Article>;
  saveStarred(id: number, starred: boolean): Promise<Article>;
  saveArchived(id: number, archived: boolean): Promise<Article>;
  getAllTags(): Promise<readonly object[]>;
  addTags(id: number, tags: string): Promise<Article>;
  removeTags(id: number, tags: string): Promise<Article>;
  deleteArticle(id: number): Promise<Article>;
}

let app: TestApp;
let api: ReadingListApi;
let client: Package;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(async () => {
  await app.close();
});

const labels = ({ tags }: Article): string[] => tags.map(({ label }) => label).sort();

describeClient(
  'the npm package wallabag-api',
  { variable: 'WALLABAG_API_SOURCE', folders: ['node_modules/wallabag-api'] },
  (source) => {
    beforeEach(async () => {
      api = await ReadingListApi.of(app);
      const { credentials } = await WallabagApi.of(app);
      const { WallabagApi: Loaded } = createRequire(join(source, 'package.json'))(
        'wallabag-api',
      ) as { readonly WallabagApi: new (data: object) => Package };
      client = new Loaded({
        ...{ url: `${app.url}/wallabag`, clientId: credentials.client_id },
        clientSecret: credentials.client_secret,
      });
      await client.getApplicationToken(api.user.email, api.user.password);
    });

    it('fetches the version and refreshes its token', async () => {
      expect(await client.getApiVersion()).toBe('2.6.14');
      expect(await client.refreshToken()).toMatchObject({ token_type: 'bearer' });
      expect(await client.refreshToken()).toMatchObject({ token_type: 'bearer' });
    });

    it('rejects a wrong password with the error of the server', async () => {
      await expect(client.getApplicationToken(api.user.email, 'wrong')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    it('saves, finds, changes and deletes an article', async () => {
      const url = 'https://example.com/one';
      const { id } = await client.saveArticle(url);
      expect(await client.entryExists(url)).toEqual({ exists: true });
      expect(await client.saveTitle(id, 'One')).toMatchObject({ title: 'One' });
      expect(await client.saveStarred(id, true)).toMatchObject({ is_starred: 1 });
      expect(await client.saveArchived(id, true)).toMatchObject({ is_archived: 1 });
      expect(labels(await client.addTags(id, 'news,later'))).toEqual(['later', 'news']);
      expect(labels(await client.addTags(id, 'three'))).toEqual(['later', 'news', 'three']);
      expect(labels(await client.removeTags(id, 'later,three'))).toEqual(['news']);
      expect(await client.getAllTags()).toEqual([expect.objectContaining({ label: 'news' })]);
      expect(await api.items({ state: 'archive', tag: 'news' })).toEqual([
        expect.objectContaining({ given_url: url, favorite: '1', status: '1' }),
      ]);

      await client.deleteArticle(id);

      await expect(client.getArticle(id)).rejects.toMatchObject({ code: 404 });
      expect(await client.entryExists(url)).toEqual({ exists: false });
    });

    it('pages through a list', async () => {
      await api.results(
        ...Array.from({ length: 5 }, (_, n) => ({
          ...{ action: 'add', url: `https://example.com/${n}` },
        })),
      );
      const filter = { perPage: 2, sort: 'created', order: 'asc', archived: 0, starred: 0 };

      const lists = [];
      for (const page of [1, 2, 3]) {
        lists.push(await client.getArticles({ ...filter, page }));
      }

      expect(lists.map(({ page, pages, total }) => [page, pages, total])).toEqual([
        ...[[1, 3, 5], [2, 3, 5], [3, 3, 5]], // prettier-ignore
      ]);
      const ids = lists.flatMap(({ _embedded }) => _embedded.items).map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
      expect(ids).toHaveLength(5);
      await expect(client.getArticles({ ...filter, page: 4 })).rejects.toMatchObject({ code: 404 });
    });
  },
);
