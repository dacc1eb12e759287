import { noteAnnotationId } from '../../lib/util/item-note.js';
import type { RowOf } from '../../platform/database/entity-columns.js';
import { formatDate } from '../../pocket-api/v3-responses.js';
import type { Annotation } from '../entities/annotation.entity.js';
import type { ItemMedia, ItemRow } from '../entities/item.entity.js';
import { hostOf } from '../list/address.js';
import type { Passage } from '../texts/passage.js';
import type { ItemDetail } from './get.request.js';
import {
  type AuthorResponse,
  type FirstImageResponse,
  type ImageResponse,
  type Keyed,
  mediaOf,
  presentAuthor,
  presentFirstImage,
  presentImages,
  presentVideos,
  resolvedIdOf,
  resolvedTitleOf,
  resolvedUrlOf,
  type VideoResponse,
} from './page.presenter.js';

/** The version of the annotation format that Pocket used. */
const ANNOTATION_VERSION = '2';

/** The fields of an annotation that are shown in answers. */
export type ShownAnnotation = Omit<
  Annotation,
  'userId' | 'item' | 'number' | 'ranges' | 'updatedAt'
>;
export type AnnotationResponse = RowOf<Omit<ShownAnnotation, 'note'>> & {
  /** The note on the highlight. Undefined if empty, because clients of Pocket do not know this field. */
  readonly note: string | undefined;
};

/** The fields of an item in every answer. Flags, ids, counts and times are text. A missing value is "0". */
interface BasicsResponse {
  readonly item_id: string;
  readonly resolved_id: string;
  readonly given_url: string;
  readonly given_title: string;
  readonly favorite: string;
  readonly status: string;
  readonly time_added: string;
  readonly time_updated: string;
  readonly time_read: string;
  readonly time_favorited: string;
  readonly sort_id: number;
  readonly resolved_title: string;
  readonly resolved_url: string;
  readonly excerpt: string;
  readonly is_article: string;
  readonly is_index: string;
  readonly has_video: string;
  readonly has_image: string;
  readonly word_count: string;
  readonly lang: string;
  readonly time_to_read: number;
  readonly top_image_url: string | undefined;
}

/**
 * The fields of an item that a call may request. Empty fields are undefined, because typed clients accept only an
 * object with fields.
 */
interface DetailResponse {
  readonly tags: Keyed<{ readonly item_id: string; readonly tag: string }> | undefined;
  readonly authors: Keyed<AuthorResponse & { readonly item_id: string }> | undefined;
  readonly image: FirstImageResponse | undefined;
  readonly images: Keyed<ImageResponse> | undefined;
  readonly videos: Keyed<VideoResponse> | undefined;
  readonly domain_metadata: { readonly name: string } | undefined;
  readonly note: string | undefined;
}

/** An item in an answer of get. JSON omits undefined properties. */
export interface ItemResponse extends BasicsResponse, DetailResponse {
  readonly annotations: readonly AnnotationResponse[] | undefined;
  readonly listen_duration_estimate: number;
  /** The part of the article that matches. Only set if the call searches for a text that the article contains. */
  readonly passage?: PassageResponse;
}

/** A matching part of an article as plain text, and the start and end of each match. Offsets are in UTF-16 units. */
export interface PassageResponse {
  readonly text: string;
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/**
 * Returns an item in the form of the answer. `sortId` is the position in the answer, for clients whose objects have no
 * order.
 *
 * `assign` takes 1 µs per item. Spreading so many fields takes 20 µs, which is too slow for lists of thousands of
 * items.
 */
export const presentItem = (
  row: ItemRow,
  sortId: number,
  detail: ItemDetail,
  annotations?: readonly ShownAnnotation[],
): ItemResponse => {
  const pageId = resolvedIdOf(row);
  return Object.assign(presentBasics(row, sortId, pageId), presentDetail(row, detail, pageId), {
    annotations: annotations?.map(presentAnnotation),
    listen_duration_estimate: secondsToListen(row.word_count),
  });
};

export function presentPassage(pieces: Passage): PassageResponse {
  const matches: [from: number, to: number][] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.isMatch) {
      matches.push([text.length, text.length + piece.text.length]);
    }
    text += piece.text;
  }
  return { text, matches };
}

function presentBasics(row: ItemRow, sortId: number, pageId: string): BasicsResponse {
  return {
    item_id: row.item_id,
    resolved_id: pageId,
    given_url: row.given_url,
    given_title: row.given_title,
    favorite: String(row.favorite),
    status: String(row.status),
    time_added: row.time_added,
    time_updated: row.time_updated,
    time_read: row.time_read,
    time_favorited: row.time_favorited,
    sort_id: sortId,
    resolved_title: resolvedTitleOf(row),
    resolved_url: resolvedUrlOf(row),
    excerpt: row.excerpt,
    is_article: String(row.is_article),
    is_index: String(row.is_index),
    has_video: String(row.has_video),
    has_image: String(row.has_image),
    word_count: String(row.word_count),
    lang: row.lang,
    time_to_read: row.is_article === 1 ? minutesToRead(row.word_count) : 0,
    top_image_url: row.top_image_url || undefined,
  };
}

const WORDS_READ_A_MINUTE = 220;

const WORDS_HEARD_A_MINUTE = 155;

/** Returns the reading time in minutes. The reading speed is that of Pocket. */
export const minutesToRead = (words: number): number => Math.round(words / WORDS_READ_A_MINUTE);

/** Returns the listening time in seconds. The speaking speed is that of Pocket. */
export const secondsToListen = (words: number): number =>
  Math.round((words / WORDS_HEARD_A_MINUTE) * 60);

/**
 * Returns the requested fields. Images, videos and authors belong to the resolved page and contain the id of the page.
 */
function presentDetail(row: ItemRow, shows: ItemDetail, pageId: string): DetailResponse {
  const { authors, images, videos } = mediaOf(row);
  return {
    tags: shows.tags ? presentTags(row) : undefined,
    authors: shows.authors ? presentAuthors(pageId, authors) : undefined,
    image: shows.images ? presentFirstImage(pageId, images) : undefined,
    images: shows.images ? presentImages(pageId, images) : undefined,
    videos: shows.videos ? presentVideos(pageId, videos) : undefined,
    domain_metadata: shows.domainMetadata ? presentSite(resolvedUrlOf(row)) : undefined,
    note: shows.note ? noteOf(row) : undefined,
  };
}

/** Returns the tags by name. `fromEntries` defines each field, so that a tag with the name `__proto__` is not lost. */
const presentTags = ({ item_id, tags }: ItemRow): DetailResponse['tags'] =>
  Object.fromEntries(tags.map((tag) => [tag, { item_id, tag }]));

const presentAuthors = (
  pageId: string,
  authors: ItemMedia['authors'],
): DetailResponse['authors'] =>
  authors.length === 0
    ? undefined
    : Object.fromEntries(
        authors.map((author) => [author.id, { item_id: pageId, ...presentAuthor(author) }]),
      );

/**
 * Returns the host of the fetched URL. Without a scheme, the host of `example.com:8080/x`, for example, would be parsed
 * as a scheme.
 */
function presentSite(url: string): DetailResponse['domain_metadata'] {
  const name = hostOf(url);
  return name === undefined ? undefined : { name };
}

const noteOf = ({ note }: ItemRow): string | undefined => (note === '' ? undefined : note);

/** Returns the note as an annotation without a quote, for clients that only know annotations (docs/decisions/0093). */
export function annotationOfNote(row: ItemRow): ShownAnnotation | undefined {
  const note = noteOf(row);
  return note === undefined
    ? undefined
    : {
        annotationId: noteAnnotationId(row.item_id),
        itemId: row.item_id,
        quote: '',
        patch: '',
        version: ANNOTATION_VERSION,
        createdAt: row.time_added,
        note,
      };
}

const presentAnnotation = (annotation: ShownAnnotation): AnnotationResponse => ({
  annotation_id: annotation.annotationId,
  item_id: annotation.itemId,
  quote: annotation.quote,
  patch: annotation.patch,
  version: annotation.version,
  created_at: formatDate(new Date(Number(annotation.createdAt) * 1000)),
  note: annotation.note || undefined,
});
