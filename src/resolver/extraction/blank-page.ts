import type { PageContent } from './page-content.js';

/** What is known of a page that nothing could be read of. */
export const BLANK_PAGE: PageContent = {
  title: '',
  excerpt: '',
  articleHtml: '',
  text: '',
  wordCount: 0,
  lang: '',
  authors: [],
  images: [],
  videos: [],
  hasImage: 0,
  hasVideo: 0,
  topImage: '',
  datePublished: null,
  publishedDay: '',
  isArticle: false,
  isIndex: false,
  canonicalUrl: '',
  site: { name: '', logo: '' },
  usedFallback: true,
};
