import { join } from 'node:path';

import { describeClient } from '../support/client-source.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

interface Token {
  readonly accessToken: string;
  readonly refreshToken: string;
}
interface Article {
  readonly id: number;
  readonly title: string;
  readonly tags: readonly string[];
  readonly isArchived: unknown;
}
/** The plugin's client class, with the methods that the plugin calls. */
interface Client {
  readonly token: Token;
  fetchArticles(unread?: boolean, archived?: boolean): Promise<Article[]>;
  exportArticle(id: number, format: string): Promise<ArrayBuffer>;
  archiveArticle(id: number): Promise<unknown>;
}
interface Loaded {
  new (token: Token, plugin: object): Client;
  authenticate(...account: readonly string[]): Promise<Token>;
}
interface ObsidianRequest {
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly contentType?: string;
}

/** Obsidian's network function. It is similar to fetch, but rejects with the status. */
async function requestUrl({ url, contentType, headers, method, body }: ObsidianRequest) {
  const type = contentType === undefined ? {} : { 'Content-Type': contentType };
  const sent = { method: method ?? 'GET', headers: { ...type, ...headers }, body: body ?? null };
  const response = await fetch(url, sent);
  if (!response.ok) {
    throw Object.assign(new Error(await response.text()), { status: response.status });
  }
  const arrayBuffer = await response.arrayBuffer();
  const text = Buffer.from(arrayBuffer).toString();
  return { arrayBuffer, text, json: text.startsWith('{') ? (JSON.parse(text) as object) : {} };
}

jest.mock(
  'obsidian',
  () => ({
    requestUrl,
    request: async (options: ObsidianRequest) => (await requestUrl(options)).text,
  }),
  { virtual: true },
);

let app: TestApp;
let api: ReadingListApi;
let client: Client;
let refreshed: Token[];
let settings: { serverUrl: string; tag: string };

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(async () => {
  await app.close();
});

describeClient(
  "Obsidian's wallabag plugin",
  { variable: 'OBSIDIAN_WALLABAG_SOURCE', folders: ['src'] },
  (source) => {
    beforeEach(async () => {
      api = await ReadingListApi.of(app);
      const { client_id, client_secret } = (await WallabagApi.of(app)).credentials;
      settings = { serverUrl: `${app.url}/wallabag`, tag: '' };
      refreshed = [];
      const { default: Plugin } = (await import(join(source, 'src/wallabag/WallabagAPI.ts'))) as {
        default: Loaded;
      };
      const { email, password } = api.user;
      const account = [settings.serverUrl, client_id, client_secret, email, password];
      client = new Plugin(await Plugin.authenticate(...account), {
        settings,
        onAuthenticated: (token: Token) => Promise.resolve(refreshed.push(token)),
        onTokenRefreshFailed: () => Promise.reject(new Error('the token was not refreshed')),
      });
    });

    const save = (count: number, members: object = {}): Promise<unknown> =>
      api.results(
        ...Array.from({ length: count }, (_, n) => ({
          ...{ action: 'add', url: `https://example.com/${n}`, ...members },
        })),
      );

    it('fetches an empty list, one page, and several pages', async () => {
      expect(await client.fetchArticles()).toEqual([]);
      await save(30);
      expect(await client.fetchArticles()).toHaveLength(30);
      await save(65);
      const ids = (await client.fetchArticles()).map(({ id }) => id);
      expect(new Set(ids).size).toBe(65);
    });

    it('fetches the articles of one tag, and shows the tag as a readable slug', async () => {
      await save(1, { tags: 'to read' });
      await api.add({ url: 'https://example.com/other' }).expect(200);
      settings.tag = 'to read';

      expect(await client.fetchArticles()).toMatchObject([{ tags: ['to-read'] }]);
    });

    it('archives an article and fetches the archive', async () => {
      await save(2);
      const [first] = await client.fetchArticles();

      await client.archiveArticle(first!.id);

      expect(await client.fetchArticles(true, false)).toHaveLength(1);
      expect(await client.fetchArticles(false, true)).toMatchObject([{ id: first!.id }]);
      expect(await client.fetchArticles(true, true)).toHaveLength(2);
      expect(await api.items({ state: 'archive' })).toHaveLength(1);
    });

    it('refreshes an expired token', async () => {
      await save(1);
      await app.database.query('UPDATE wallabag_tokens SET access_expires_at = now()');

      expect(await client.fetchArticles()).toHaveLength(1);
      expect(refreshed).toEqual([expect.objectContaining({ accessToken: expect.any(String) })]);
    });
  },
);
