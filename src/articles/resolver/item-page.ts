import { type DocumentFacts, fileTitle } from '../../lib/extraction/documents/document-facts.js';
import type { PageContent } from '../../lib/extraction/page-content.js';
import { plain } from '../../lib/extraction/plain-text.js';
import { languageTagIn } from '../../lib/util/language-tag.js';
import type { DocumentKind } from '../../platform/fetching/mime-type.js';
import { authorAt } from '../../reading-list/details/authors.js';
import type { ItemMedia } from '../../reading-list/entities/page-columns.js';
import type { ItemPage } from '../../reading-list/pages/record-pages.js';

/** The extracted data of a page that its items show. The type omits the id of the page, which is added later. */
export type UnnumberedPage = Omit<ItemPage, 'resolvedId'>;

const MAX_MEDIA = 100;
const MAX_IMAGES = 200;
const MAX_LINE = 1000;

/** Shortens a text, and removes NULs and lone surrogates, which PostgreSQL and some clients reject. */
const line = (text: string): string => plain(text, MAX_LINE) ?? '';

/** Returns the data that items show, extracted from an HTML page. */
export const itemPageOf = (content: PageContent, url: string): UnnumberedPage => ({
  resolvedUrl: url,
  resolvedTitle: line(content.title),
  excerpt: line(content.excerpt),
  lang: content.lang,
  isArticle: content.isArticle,
  isIndex: content.isIndex,
  isPdf: false,
  hasImage: content.hasImage,
  hasVideo: content.hasVideo,
  wordCount: content.wordCount,
  topImageUrl: content.topImage,
  media: mediaOf(content, url),
});

/** Returns the data that items show, extracted from a document that is not HTML, such as a PDF. */
export function itemPageOfDocument(
  kind: DocumentKind,
  facts: DocumentFacts,
  url: string,
): UnnumberedPage {
  const { title = fileTitle(url) ?? '', excerpt = '', language = '', wordCount = 0 } = facts;
  return {
    resolvedUrl: url,
    resolvedTitle: title,
    excerpt,
    lang: languageTagIn(language) ?? '',
    isArticle: facts.isArticle === true && wordCount > 0,
    isIndex: kind === 'feed',
    isPdf: kind === 'pdf',
    wordCount,
    ...shownAs(kind, facts, url),
  };
}

type Shown = Pick<UnnumberedPage, 'hasImage' | 'hasVideo' | 'topImageUrl' | 'media'>;

/**
 * Returns the pictures and videos of a document that is not HTML. An image document has one picture, the document
 * itself. A video document has one video, the document itself. Other documents have neither.
 */
function shownAs(kind: DocumentKind, facts: DocumentFacts, url: string): Shown {
  const { author, authors = author === undefined ? [] : [author] } = facts;
  const media = {
    authors: authors.map((name) => authorAt(new URL(url).host, name)),
    images: [],
    videos: [],
  };
  const none: Shown = { hasImage: 0, hasVideo: 0, topImageUrl: '', media };
  if (kind === 'image') {
    const image = { ...sizeOf(facts), src: url, credit: '', caption: '' };
    return { ...none, hasImage: 2, topImageUrl: url, media: { ...media, images: [image] } };
  }
  if (kind === 'video') {
    const video = { ...sizeOf(facts), src: url, type: 0, vid: '', length: 0 };
    return { ...none, hasVideo: 2, media: { ...media, videos: [video] } };
  }
  return none;
}

const sizeOf = ({ width = 0, height = 0 }: DocumentFacts): { width: number; height: number } => ({
  width,
  height,
});

const mediaOf = ({ authors, images, videos }: PageContent, url: string): ItemMedia => ({
  authors: authors
    .slice(0, MAX_MEDIA)
    .map(({ name, url: address }) => ({ name: line(name), url: address }))
    .filter(({ name }) => name !== '')
    .map((author) => authorAt(new URL(url).host, author.name, author.url)),
  images: images.slice(0, MAX_IMAGES).map(({ src, width, height, credit, caption }) => ({
    src,
    width,
    height,
    credit: line(credit),
    caption: line(caption),
  })),
  videos: videos.slice(0, MAX_MEDIA).map(({ src, width, height, type, vid, length }) => ({
    src,
    width,
    height,
    type,
    vid: line(vid),
    length,
  })),
});
