import { formatDate, formatSeconds } from '../../pocket-api/v3-responses.js';
import type { ItemRow } from '../entities/item.entity.js';
import {
  type AuthorResponse,
  type ImageResponse,
  type Keyed,
  mediaOf,
  presentAuthor,
  presentImages,
  presentVideos,
  resolvedIdOf,
  resolvedTitleOf,
  resolvedUrlOf,
  type VideoResponse,
} from '../get/page.presenter.js';
import { type PageFacts, unknownPage } from './page-facts.js';

/** The properties of a fetched page in the form that v3 clients parse: always strings, never null. */
interface PageResponse {
  readonly item_id: string;
  readonly normal_url: string;
  readonly resolved_id: string;
  readonly extended_item_id: string;
  readonly resolved_url: string;
  readonly domain_id: string;
  readonly origin_domain_id: string;
  readonly response_code: string;
  readonly mime_type: string;
  readonly content_length: string;
  readonly encoding: string;
  readonly date_resolved: string;
  readonly date_published: string;
  readonly title: string;
  readonly excerpt: string;
  readonly word_count: string;
  readonly innerdomain_redirect: string;
  readonly login_required: string;
  readonly has_image: string;
  readonly has_video: string;
  readonly is_index: string;
  readonly is_article: string;
  readonly used_fallback: string;
  readonly lang: string;
  readonly time_first_parsed: string;
}

/**
 * The authors, images and videos in a response of `/v3/add`. A page without images, for example,
 * has an empty array instead of an object.
 */
interface MediaResponse {
  readonly authors: Keyed<AuthorResponse> | readonly [];
  readonly images: Keyed<ImageResponse> | readonly [];
  readonly videos: Keyed<VideoResponse> | readonly [];
}

/**
 * The item in a response of `/v3/add`. It describes the page of the item, but not its state in the list, such as
 * archived.
 */
export interface AddedItemResponse extends PageResponse, MediaResponse {
  readonly top_image_url: string | undefined;
  readonly resolved_normal_url: string;
  readonly given_url: string;
}

/** The response of `/v3/add` (docs/api/add.md). */
export interface AddResponse {
  readonly item: AddedItemResponse;
  readonly status: 1;
}

export const presentAdd = (row: ItemRow, facts?: PageFacts): AddResponse => ({
  item: presentAddedItem(row, facts),
  status: 1,
});

export const presentAddedItem = (
  row: ItemRow,
  facts: PageFacts = unknownPage(row.given_url),
): AddedItemResponse => {
  const pageId = resolvedIdOf(row);
  return Object.assign(presentPage(row, facts, pageId), presentMedia(row, pageId), {
    top_image_url: row.top_image_url || undefined,
    resolved_normal_url: facts.resolvedNormalUrl,
    given_url: row.given_url,
  });
};

function presentPage(row: ItemRow, facts: PageFacts, pageId: string): PageResponse {
  return {
    item_id: row.item_id,
    normal_url: facts.normalUrl,
    resolved_id: pageId,
    extended_item_id: pageId,
    resolved_url: resolvedUrlOf(row),
    domain_id: facts.domainId,
    origin_domain_id: facts.originDomainId,
    response_code: String(facts.responseCode),
    mime_type: facts.mimeType,
    content_length: String(facts.contentLength),
    encoding: facts.encoding,
    date_resolved: formatDate(facts.dateResolved),
    date_published: formatDate(facts.datePublished),
    title: resolvedTitleOf(row),
    excerpt: row.excerpt,
    word_count: String(row.word_count),
    innerdomain_redirect: flag(facts.isInnerDomainRedirect),
    login_required: flag(facts.isLoginRequired),
    has_image: String(row.has_image),
    has_video: String(row.has_video),
    is_index: String(row.is_index),
    is_article: String(row.is_article),
    used_fallback: flag(facts.usedFallback),
    lang: row.lang,
    time_first_parsed: formatSeconds(facts.timeFirstParsed),
  };
}

function presentMedia(row: ItemRow, pageId: string): MediaResponse {
  const { authors, images, videos } = mediaOf(row);
  return {
    authors:
      authors.length > 0
        ? Object.fromEntries(authors.map((author) => [author.id, presentAuthor(author)]))
        : [],
    images: presentImages(pageId, images) ?? [],
    videos: presentVideos(pageId, videos) ?? [],
  };
}

const flag = (isSet: boolean): string => (isSet ? '1' : '0');
