import {
  type Keyed,
  presentAuthor,
  presentImages,
  presentVideos,
  type WireAuthor,
  type WireImage,
  type WireVideo,
} from '../../reading-list/http/media.presenter.js';
import { minutesToRead } from '../../reading-list/http/reading-time.js';
import { resolvedIdOf } from '../../reading-list/http/resolved-texts.js';
import { wireDate, wireSeconds } from '../../reading-list/http/wire-date.js';
import { hostOf } from '../../reading-list/list/address.js';
import { domainIdOf } from '../../reading-list/list/domain-id.js';
import type { ItemMedia } from '../../reading-list/list/item-row.js';
import type { Article } from '../articles.service.js';
import { type PlaceholderStyle, withPlaceholders } from '../media-placeholders.js';

/** What the original said of the page in the words of add: text, but for the minutes. */
interface WirePage {
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

/** And in words of its own, where flags are numbers. */
interface WireText {
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

/** The answer of the article view (docs/api/text.md); media are always objects. */
export interface WireArticle extends WirePage, WireText {
  readonly authors: Keyed<WireAuthor>;
  readonly images: Keyed<WireImage>;
  readonly videos: Keyed<WireVideo>;
  readonly article: string;
}

export interface ArticleView {
  readonly placeholders: PlaceholderStyle;
  /** Where the reader gets a picture from. */
  readonly imageAddress: (src: string, number: number) => string;
}

const IS_VIDEO = 2;

export const presentArticle = (article: Article, view: ArticleView): WireArticle => ({
  ...presentPage(article),
  ...presentText(article),
  ...presentMedia(article, view),
  article: withPlaceholders(article.html, numbered(article.page.item.media), view.placeholders),
});

function presentPage({ item, page, readAt, firstReadAt }: Article): WirePage {
  const { facts } = page;
  return {
    item_id: item.item_id,
    given_url: item.given_url,
    normal_url: item.given_url,
    resolved_normal_url: facts.resolvedNormalUrl,
    date_resolved: wireDate(readAt),
    domain_id: facts.domainId,
    origin_domain_id: domainIdOf(item.given_url),
    mime_type: facts.mimeType,
    content_length: String(facts.contentLength),
    encoding: facts.encoding,
    time_first_parsed: wireSeconds(firstReadAt),
    has_old_dupes: '0',
    innerdomain_redirect: facts.isInnerDomainRedirect ? '1' : '0',
    time_to_read: minutesToRead(page.item.wordCount),
    has_image: String(page.item.hasImage),
    has_video: String(page.item.hasVideo),
    resolved_id: resolvedIdOf(item),
  };
}

function presentText({ page: { item, facts } }: Article): WireText {
  const published = facts.datePublished === null ? null : new Date(facts.datePublished);
  return {
    resolvedUrl: item.resolvedUrl,
    host: hostOf(item.resolvedUrl) ?? '',
    title: item.resolvedTitle,
    datePublished: wireDate(published),
    timePublished: Number(wireSeconds(published)),
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
): Pick<WireArticle, 'authors' | 'images' | 'videos'> {
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
