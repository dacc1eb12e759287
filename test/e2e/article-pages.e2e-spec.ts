import type { ArticleResponse } from '../../src/articles/article.presenter.js';
import { aFetcher } from '../support/a-fetcher.js';
import {
  ARTICLE,
  articleOf,
  pageOf,
  pathOf,
  requestedPaths,
  servePages,
} from '../support/paged-site.js';
import { until } from '../support/processes.js';
import { ok, PublicHost, redirect } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PER_HOUR = 4;

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;
let sites = 0;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: {
      resolverConcurrency: 2,
      resolveWaitMs: 60_000,
      resolverPagesPerHour: PER_HOUR,
    },
    fetcher: aFetcher(host, { maxHtmlBytes: 200_000 }),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  sites += 1;
  api = await ReadingListApi.of(app);
});
afterEach(() => {
  expect(host.canaryHits).toBe(0);
  expect(app.log()).not.toMatch(/"level":(?:50|60|"(?:error|fatal)")/);
});

const address = (path = ARTICLE): string => host.url(path, `site${sites}.example`);

/** Saves the first page, and returns the article. */
async function saved(path = ARTICLE): Promise<ArticleResponse> {
  const url = address(path);
  await api.add({ url }).expect(200);
  return (await api.post('/v3/text', { url }).expect(200)).body as ArticleResponse;
}

/** Returns the numbers of the pages whose text the article contains. */
const pagesIn = ({ article }: ArticleResponse): number[] => [
  ...new Set([...article.matchAll(/Line \d of page (\d+) says/g)].map(([, page]) => Number(page))),
];

describe('an article on several pages', () => {
  it('is saved as a whole', async () => {
    servePages(host, articleOf(3));

    const article = await saved();

    expect(pagesIn(article)).toEqual([1, 2, 3]);
    expect(article.article).not.toContain('Continue on page');
    expect(article.wordCount).toBe(3 * 6 * 24);
    expect((await api.items())[0]).toMatchObject({ word_count: String(article.wordCount) });
    expect(requestedPaths(host)).toEqual([1, 2, 3].map(pathOf));
    expect(host.heads.every((head) => /user-agent: Satchel\/test/i.test(head))).toBe(true);
  });

  it('is fetched again as a whole, although its first page has not changed', async () => {
    const pages = articleOf(2);
    servePages(host, { ...pages, [ARTICLE]: ok(pages[ARTICLE]!, 'ETag: "1"') });

    await saved();

    expect(await app.database.query('SELECT etag FROM pages WHERE url = $1', [address()])).toEqual([
      { etag: null },
    ]);
  });

  it('ends after ten pages with a link to the next one', async () => {
    servePages(
      host,
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [pathOf(n + 1), pageOf(n + 1)])),
    );

    const article = await saved();

    expect(pagesIn(article)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(requestedPaths(host)).toHaveLength(10);
    expect(article.article).toContain(
      `<a href="${address(pathOf(11))}" rel="noopener noreferrer">Continue on page 11</a>`,
    );
  });

  it.each<[string, string | Buffer]>([
    ['fails', 'HTTP/1.1 500 Oh no\r\nContent-Length: 0\r\n\r\n'],
    ['is missing', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
    ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n<p>'],
    ['is no HTML', ok('%PDF-1.4', 'Content-Type: application/pdf')],
    ['is huge', ok(pageOf(3).replace('</h1>', `</h1><p>${'x'.repeat(300_000)}</p>`))],
    ['redirects to a private address', redirect('http://127.0.0.1/')],
    ['redirects without end', redirect(pathOf(3))],
  ])('keeps the pages before one that %s, and a link to it', async (_what, third) => {
    servePages(host, { ...articleOf(4), [pathOf(3)]: third });

    const article = await saved();

    expect(pagesIn(article)).toEqual([1, 2]);
    expect(article.article).toContain(`href="${address(pathOf(3))}"`);
    expect(article.article).toContain('Continue on page 3');
    expect(requestedPaths(host)).not.toContain(pathOf(4));
  });

  it.each<[string, string | Buffer]>([
    ['repeats the text', pageOf(1).replace(/href="[^"]*"/, `href="${pathOf(3)}"`)],
    ['redirects to the first page', redirect(ARTICLE)],
    ['redirects to another site', redirect('/2024/06/another-story/2/')],
    ['has another title', pageOf(2).replaceAll('The tide gauge of Ness', 'The storm of 1953')],
  ])('ends before a page that %s', async (_what, second) => {
    servePages(host, {
      '/2024/06/another-story/2/': pageOf(2),
      ...articleOf(4),
      [pathOf(2)]: second,
    });

    const article = await saved();

    expect(pagesIn(article)).toEqual([1]);
    expect(article.article).not.toContain('Continue on page');
    expect(requestedPaths(host)).not.toContain(pathOf(3));
  });

  it('is not fetched further while its host has requested a pause', async () => {
    servePages(host, {
      ...articleOf(3),
      [pathOf(2)]: 'HTTP/1.1 429 Slow down\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n',
      '/other-story/': pageOf(1, '<a rel="next" href="2/">Next page</a>'),
    });

    const article = await saved();
    await api.sent({ action: 'add', url: address('/other-story/') });

    expect(article.article).toContain('Continue on page 2');
    const pauses = await app.database.query('SELECT host FROM host_pauses WHERE until > now()');
    expect(pauses).toContainEqual({ host: `site${sites}.example` });
    expect(requestedPaths(host)).toEqual([1, 2].map(pathOf));
  });

  it('counts toward the quota of its user with each further page', async () => {
    servePages(host, { ...articleOf(PER_HOUR), '/later/': pageOf(1, '') });

    expect(pagesIn(await saved())).toEqual([1, 2, 3, 4]);
    await api.sent({ action: 'add', url: address('/later/') });

    const later = async (): Promise<unknown[]> =>
      app.database.query('SELECT retry_at > now() AS is_later FROM page_requests WHERE url = $1', [
        address('/later/'),
      ]);
    await until(async () => (await later()).length === 1);
    expect(await later()).toEqual([{ is_later: true }]);
  });
});

describe('a page with another kind of next page', () => {
  it.each([
    ['a next post', '<a rel="next" href="/2024/05/the-storm/">Next</a>'],
    ['a next thread', '<a rel="next" href="/threads/8">Next</a>'],
    ['a page of another host', `<a rel="next" href="http://other.example${pathOf(2)}">Next</a>`],
    ['a page of comments', `<a rel="next" href="${ARTICLE}comment-page-2/">Next</a>`],
  ])('is not joined with %s', async (_what, link) => {
    servePages(host, { ...articleOf(2), [ARTICLE]: pageOf(1, link) });

    expect(pagesIn(await saved())).toEqual([1]);
    expect(requestedPaths(host)).toEqual([ARTICLE]);
  });

  it.each([
    ['/blog/', 'a list of posts'],
    ['/', 'a front page'],
  ])('is not joined if it is %s, %s', async (path) => {
    const post = (name: string): string =>
      `<h2><a href="/posts/${name}">The post ${name}</a></h2><p>${`The post ${name} is short. `.repeat(9)}</p>`;
    servePages(host, {
      [path]: `<title>A blog</title><main>${['one', 'two', 'three'].map(post).join('')}</main>
        <a rel="next" href="/blog/page/2/">Next page</a>`,
    });

    await saved(path);

    expect(requestedPaths(host)).toEqual([path]);
  });
});
