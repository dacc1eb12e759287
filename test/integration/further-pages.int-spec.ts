import { FurtherPages } from '../../src/articles/resolver/further-pages.js';
import type { PageContent } from '../../src/lib/extraction/page-content.js';
import { aFetcher, NOW } from '../support/a-fetcher.js';
import { sharedParsers } from '../support/jest/shared-parsers.mjs';
import { articleOf, pageOf, pathOf, requestedPaths, servePages } from '../support/paged-site.js';
import { PublicHost } from '../support/public-host.js';

let host: PublicHost;

beforeAll(async () => {
  host = await PublicHost.start();
});
afterAll(() => host.stop());

type Limits = ConstructorParameters<typeof FurtherPages>[3];

/** Returns the article that begins on the first page. */
async function wholeArticle(
  limits: Limits,
  signal = new AbortController().signal,
  fetcher = aFetcher(host),
): Promise<string> {
  const html = pageOf(1);
  const url = host.url(pathOf(1));
  const { content } = await sharedParsers.html('1', { html, url, readAt: NOW });
  const further = new FurtherPages(fetcher, sharedParsers, { now: () => NOW }, limits);
  const { content: whole }: { content: PageContent } = await further.addTo(
    { content, url, bytes: html.length },
    '1',
    signal,
  );
  return whole.articleHtml;
}

describe('the further pages of an article', () => {
  it('are given up if one of them takes too long', async () => {
    servePages(host, { ...articleOf(3), [pathOf(2)]: undefined });

    const article = await wholeArticle({ ms: 300 });

    expect(article).toContain('of page 1 says');
    expect(article).toContain(`href="${host.url(pathOf(2))}"`);
    expect(article).toContain('Continue on page 2');
  });

  it('are given up if the service stops', async () => {
    servePages(host, { ...articleOf(3), [pathOf(2)]: undefined });

    expect(await wholeArticle({}, AbortSignal.abort())).toContain('Continue on page 2');
  });

  it('are given up after an unexpected error, and the first page stays', async () => {
    servePages(host, articleOf(3));
    const fetcher = aFetcher(host);
    jest.spyOn(fetcher, 'fetch').mockRejectedValue(new Error('The database is away.'));

    expect(await wholeArticle({}, undefined, fetcher)).toContain('Continue on page 2');
  });

  it('are fetched until all pages have the maximum number of bytes', async () => {
    servePages(host, articleOf(4));

    const article = await wholeArticle({ bytes: pageOf(1).length + pageOf(2).length });

    expect(article).toContain('of page 2 says');
    expect(article).toContain('Continue on page 3');
    expect(requestedPaths(host)).toEqual([pathOf(2)]);
  });
});
