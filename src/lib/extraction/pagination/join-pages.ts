import { squashed } from '../metadata/similarity.js';
import type { MediaFlag, PageContent } from '../page-content.js';
import { isPageAfter, type PagesBefore } from './page-numbers.js';

/** Matches the number of a page in a title, such as "Page 2 of 3" or "(2/3)". */
const PAGE_NUMBER =
  /(?:^|[\s([|–—,:-])(?:page|p\.|seite|pagina|página|side|sida|strona|страница)\s*\d{1,3}(?:\s*(?:of|von|de|di|av|\/|sur|из)\s*\d{1,3})?|[([]\d{1,3}\s*(?:\/|of|von|de)\s*\d{1,3}[)\]]|第\d{1,3}[页頁]|\d{1,3}ページ目?/giu;

/** Pages of one article that are joined so far. */
export interface JoinedPages {
  readonly content: PageContent;
  readonly before: PagesBefore;
}

/** Returns the first page of an article, to which further pages can be joined. */
export function firstOf(content: PageContent, url: string): JoinedPages {
  const first = [url, ...(content.canonicalUrl === '' ? [] : [content.canonicalUrl])];
  return { content, before: { ...countsOf(content), first, count: 1 } };
}

/**
 * Returns true if a page continues an article. The page has the title of the article, is as old as the article, and
 * contains more than a repetition of it.
 */
export const continues = (
  { content, before }: JoinedPages,
  page: PageContent,
  url: string,
): boolean =>
  isPageAfter(before.first, before.count, url) &&
  page.text !== '' &&
  titleKey(page) === titleKey(content) &&
  (page.publishedDay === '' ||
    content.publishedDay === '' ||
    page.publishedDay === content.publishedDay);

const titleKey = ({ title }: PageContent): string => squashed(title.replaceAll(PAGE_NUMBER, ''));

/** Returns an article with the content of its next page. */
export function joined({ content, before }: JoinedPages, page: PageContent): JoinedPages {
  const known = new Set(content.images.map(({ src }) => src));
  const next: PageContent = {
    ...content,
    articleHtml: `${content.articleHtml}\n${page.articleHtml}`,
    text: `${content.text}\n${page.text}`,
    wordCount: content.wordCount + page.wordCount,
    images: [...content.images, ...page.images.filter(({ src }) => !known.has(src))],
    videos: [...content.videos, ...page.videos],
    hasImage: content.hasImage || shown(page.hasImage),
    hasVideo: content.hasVideo || shown(page.hasVideo),
    topImage: content.topImage || page.topImage,
    isLoginRequired: content.isLoginRequired || page.isLoginRequired,
    nextPage: page.nextPage,
  };
  return { content: next, before: { ...before, ...countsOf(next), count: before.count + 1 } };
}

/** Returns the flag of an article with the pictures or videos of a further page. */
const shown = (flag: MediaFlag): MediaFlag => (flag === 0 ? 0 : 1);

const countsOf = (content: PageContent): Pick<PagesBefore, 'images' | 'videos' | 'text'> => ({
  images: content.images.length,
  videos: content.videos.length,
  text: content.text,
});
