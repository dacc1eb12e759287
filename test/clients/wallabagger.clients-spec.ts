import { join } from 'node:path';

import { describeClient } from '../support/client-source.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const PAGE = 'https://example.com/caf%C3%A9?a=1&b=%2B';

interface Tag {
  readonly id: number;
  readonly label: string;
}
interface Article {
  readonly id: number;
  readonly title: string;
  readonly is_starred: unknown;
  readonly is_archived: unknown;
  readonly tags: readonly Tag[];
}
/** The extension's API module, with the functions that the background script calls. */
interface Extension {
  readonly data: Readonly<Record<string, unknown>>;
  init(): Promise<void>;
  saveParams(parameters: object): void;
  checkUrl(): Promise<string>;
  passwordToken(): Promise<unknown>;
  savePage(options: object): Promise<Article>;
  entryExists(url: string): Promise<{ readonly exists: unknown }>;
  getTags(): Promise<readonly Tag[]>;
  saveTitle(id: number, title: string): Promise<Article>;
  saveTags(id: number, tags: string): Promise<Article>;
  saveStarred(id: number, starred: number): Promise<Article>;
  saveArchived(id: number, archived: number): Promise<Article>;
  deleteArticleTag(id: number, tagId: number): Promise<Article>;
  deleteArticle(id: number): Promise<Article>;
}

const QUIET = Object.fromEntries(
  ['log', 'error', 'setDebug', 'groupCollapsed', 'groupEnd'].map((name) => [name, () => undefined]),
);

/** The browser storage. The module reads it only when it is loaded. */
const kept = new Map<string, unknown>();
const local = {
  get: (name: string) => Promise.resolve({ [name]: kept.get(name) }),
  set: (values: object) => {
    Object.entries(values).forEach(([name, value]) => kept.set(name, value));
    return Promise.resolve();
  },
};

let app: TestApp;
let api: ReadingListApi;
let extension: Extension;

beforeAll(async () => {
  app = await aTestApp({ config: { resolverConcurrency: 2, resolveWaitMs: 60_000 } });
});
afterAll(async () => {
  await app.close();
});

const set = (client: WallabagApi, password = api.user.password): void => {
  const { client_id: ClientId, client_secret: ClientSecret } = client.credentials;
  const account = { UserLogin: api.user.email, UserPassword: password };
  extension.saveParams({ Url: `${app.url}/wallabag`, ClientId, ClientSecret, ...account });
};

describeClient(
  'Wallabagger',
  { variable: 'WALLABAGGER_SOURCE', folders: ['wallabagger/js'] },
  (source) => {
    beforeEach(async () => {
      kept.clear();
      Object.assign(globalThis, { browser: { storage: { local } } });
      const path = join(source, 'wallabagger/js/wallabag-api.js');
      const { WallabagApi: Loaded } = (await import(path)) as {
        readonly WallabagApi: new (logger: object) => Extension;
      };
      extension = new Loaded(QUIET);
      await extension.init();
      api = await ReadingListApi.of(app);
      set(await WallabagApi.of(app, { name: 'Wallabagger' }));
    });

    it('checks the address and logs in', async () => {
      expect(await extension.checkUrl()).toBe('2.6.14');
      await extension.passwordToken();

      expect(extension.data).toMatchObject({ ApiToken: expect.any(String), isTokenExpired: false });
    });

    it('rejects a wrong password', async () => {
      set(await WallabagApi.of(app), 'a wrong one');

      await expect(extension.passwordToken()).rejects.toThrow('Failed to refresh token');
    });

    it('finds a page by its hash, and keeps its star and tags when it is saved again', async () => {
      await extension.checkUrl();
      extension.saveParams({ AllowExistSafe: true });
      expect(await extension.entryExists(PAGE)).toEqual({ exists: false });
      const saved = await extension.savePage({ url: PAGE });
      await extension.saveStarred(saved.id, 1);
      await extension.saveTags(saved.id, 'news,to read');

      expect(await extension.savePage({ url: PAGE })).toMatchObject({
        ...{ id: saved.id, is_starred: 1, is_archived: 0 },
        tags: expect.arrayContaining([expect.objectContaining({ label: 'to read' })]),
      });
      expect(await extension.entryExists(PAGE)).toEqual({ exists: true });
      expect(await api.names()).toHaveLength(1);
    });

    it('saves a page with the content from the browser', async () => {
      const content = `<article><p>${'A page behind a login. '.repeat(80)}</p></article>`;
      const { id } = await extension.savePage({
        ...{ url: 'https://example.com/paid', origin_url: 'https://proxy.example/paid' },
        ...{ title: 'Paid', content },
      });

      const [item] = await api.items({ state: 'all', detailType: 'complete' });
      expect([item!.resolved_title, id]).toEqual(['Paid', expect.any(Number)]);
      const { body } = await api.post('/v3/text', { url: 'https://example.com/paid' }).expect(200);
      expect(body.article).toContain('A page behind a login.');
    });

    it('changes the title, tags, star and archive status of a page', async () => {
      const { id } = await extension.savePage({ url: PAGE });
      expect(await extension.saveTitle(id, 'Ein Café')).toMatchObject({ title: 'Ein Café' });
      const { tags } = await extension.saveTags(id, 'news,to read');
      expect(await extension.getTags()).toEqual(tags.map((tag) => expect.objectContaining(tag)));
      const news = tags.find(({ label }) => label === 'news')!;
      expect((await extension.deleteArticleTag(id, news.id)).tags).toHaveLength(1);
      expect(await extension.saveStarred(id, 1)).toMatchObject({ is_starred: 1 });
      expect(await extension.saveArchived(id, 1)).toMatchObject({ is_archived: 1 });

      const [item] = await api.items({ state: 'archive', detailType: 'complete' });
      expect(item).toMatchObject({ status: '1', favorite: '1' });
      expect(tagsOf(item)).toEqual(['to read']);
      expect(await extension.saveArchived(id, 0)).toMatchObject({ is_archived: 0 });
      expect(await api.items({ state: 'unread' })).toHaveLength(1);
    });

    it('deletes a page, and fails to delete it again', async () => {
      const { id } = await extension.savePage({ url: PAGE });

      expect(await extension.deleteArticle(id)).toMatchObject({ title: expect.any(String) });

      expect(await api.items({ state: 'all' })).toEqual([]);
      await expect(extension.deleteArticle(id)).rejects.toThrow('Failed to delete article');
    });
  },
);
