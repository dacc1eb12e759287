import { formatDate, formatSeconds } from '../pocket-api/v3-responses.js';
import type { ItemMedia } from '../reading-list/entities/page-columns.js';
import { minutesToRead } from '../reading-list/get/item.presenter.js';
import {
  type AuthorResponse,
  type ImageResponse,
  type Keyed,
  presentAuthor,
  presentImages,
  presentVideos,
  resolvedIdOf,
  type VideoResponse,
} from '../reading-list/get/page.presenter.js';
import { domainIdOf, hostOf } from '../reading-list/list/address.js';
import type { Article } from './articles.service.js';
import { type PlaceholderStyle, withPlaceholders } from './media-placeholders.js';

/**
 * The fields of an article response that Pocket's `/v3/add` returns too. All values are strings,
 * except the reading time in minutes.
 */
interface PageFields {
  readonly item_id: string;
  readonly given_url: string;
  readonly normal_url: string;
  readonly resolved_normal_url: string;
  readonly date_resolved: string;
  readonly domain_id: string;
  readonly origin_domain_id: string;
  readonly mime_type: string;
  readonly content_length: string;
  readonly encoding: string;
  readonly time_first_parsed: string;
  readonly has_old_dupes: '0';
  readonly innerdomain_redirect: string;
  readonly time_to_read: number;
  readonly has_image: string;
  readonly has_video: string;
  readonly resolved_id: string;
}

/**
 * The fields that only an article response has. Its flags are numbers, but the flags in other
 * responses are strings.
 */
interface TextFields {
  readonly resolvedUrl: string;
  readonly host: string;
  readonly title: string;
  readonly datePublished: string;
  readonly timePublished: number;
  readonly responseCode: string;
  readonly excerpt: string;
  readonly wordCount: number;
  readonly isArticle: 0 | 1;
  readonly isVideo: 0 | 1;
  readonly isIndex: 0 | 1;
  readonly usedFallback: 0 | 1;
  readonly requiresLogin: 0 | 1;
  readonly lang: string;
  readonly topImageUrl: string;
  readonly domainMetadata: { readonly name: string };
}

/**
 * The article response (docs/api/text.md). Empty `authors`, `images` and `videos` are empty
 * objects, never empty arrays.
 */
export interface ArticleResponse extends PageFields, TextFields {
  readonly authors: Keyed<AuthorResponse>;
  readonly images: Keyed<ImageResponse>;
  readonly videos: Keyed<VideoResponse>;
  readonly article: string;
}

interface ArticleView {
  readonly placeholders: PlaceholderStyle;
  /** Returns the address of a picture in the response. `src` is the original address of the picture. */
  readonly imageAddress: (src: string, number: number) => string;
}

const IS_VIDEO = 2;

export const presentArticle = (article: Article, view: ArticleView): ArticleResponse => ({
  ...presentPage(article),
  ...presentText(article),
  ...presentMedia(article, view),
  article: withPlaceholders(article.html, numbered(article.page.item.media), view.placeholders),
});

function presentPage({ item, page, readAt, firstReadAt }: Article): PageFields {
  const { facts } = page;
  return {
    item_id: item.item_id,
    given_url: item.given_url,
    normal_url: item.given_url,
    resolved_normal_url: facts.resolvedNormalUrl,
    date_resolved: formatDate(readAt),
    domain_id: facts.domainId,
    origin_domain_id: domainIdOf(item.given_url),
    mime_type: facts.mimeType,
    content_length: String(facts.contentLength),
    encoding: facts.encoding,
    time_first_parsed: formatSeconds(firstReadAt),
    has_old_dupes: '0',
    innerdomain_redirect: facts.isInnerDomainRedirect ? '1' : '0',
    time_to_read: minutesToRead(page.item.wordCount),
    has_image: String(page.item.hasImage),
    has_video: String(page.item.hasVideo),
    resolved_id: resolvedIdOf(item),
  };
}

function presentText({ page: { item, facts } }: Article): TextFields {
  const published = facts.datePublished === null ? null : new Date(facts.datePublished);
  return {
    resolvedUrl: item.resolvedUrl,
    host: hostOf(item.resolvedUrl) ?? '',
    title: item.resolvedTitle,
    datePublished: formatDate(published),
    timePublished: Number(formatSeconds(published)),
    responseCode: String(facts.responseCode),
    excerpt: item.excerpt,
    wordCount: item.wordCount,
    isArticle: flag(item.isArticle),
    isVideo: flag(item.hasVideo === IS_VIDEO),
    isIndex: flag(item.isIndex),
    usedFallback: flag(facts.usedFallback),
    requiresLogin: flag(facts.isLoginRequired),
    lang: item.lang,
    topImageUrl: item.topImageUrl,
    domainMetadata: { name: hostOf(item.resolvedUrl) ?? '' },
  };
}

function presentMedia(
  { item, page }: Article,
  { imageAddress }: ArticleView,
): Pick<ArticleResponse, 'authors' | 'images' | 'videos'> {
  const { authors, images, videos } = page.item.media;
  const pageId = resolvedIdOf(item);
  const shown = images.map((image, at) => ({ ...image, src: imageAddress(image.src, at + 1) }));
  return {
    authors: Object.fromEntries(authors.map((author) => [author.id, presentAuthor(author)])),
    images: presentImages(pageId, shown) ?? {},
    videos: presentVideos(pageId, videos) ?? {},
  };
}

const numbered = ({ images, videos }: ItemMedia) => ({
  images: numbersOf(images),
  videos: numbersOf(videos),
});

const numbersOf = (things: readonly { readonly src: string }[]): ReadonlyMap<string, number> =>
  new Map(things.map(({ src }, at) => [src, at + 1] as const).toReversed());

const flag = (isSet: boolean): 0 | 1 => (isSet ? 1 : 0);
