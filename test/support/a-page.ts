import type { ParsedPage } from '../../src/articles/resolver/page-reader.js';

/** The result of fetching and extracting a page. */
export const aParsedPage = (title = 'A page'): ParsedPage => ({
  kind: 'parsed',
  record: {
    item: {
      resolvedUrl: 'https://example.com/read',
      resolvedTitle: title,
      excerpt: 'It begins.',
      lang: 'en',
      isArticle: true,
      isIndex: false,
      isPdf: false,
      hasImage: 1,
      hasVideo: 0,
      wordCount: 300,
      topImageUrl: 'https://example.com/top.png',
      media: { authors: [{ id: '1', name: 'Ada', url: '' }], images: [], videos: [] },
    },
    facts: {
      resolvedNormalUrl: 'http://example.com/read',
      domainId: '5',
      responseCode: 200,
      mimeType: 'text/html',
      contentLength: 1000,
      encoding: 'UTF-8',
      datePublished: null,
      isInnerDomainRedirect: false,
      isLoginRequired: false,
      usedFallback: false,
    },
  },
  article: '<p>It begins.</p>',
  etag: '"1"',
  lastModified: undefined,
});
