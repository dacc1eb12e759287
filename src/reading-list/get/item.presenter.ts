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

/** The version of the annotation format of the original. */
const ANNOTATION_VERSION = '2';

/** The fields of an annotation that answers show. */
export type ShownAnnotation = Omit<
  Annotation,
  'userId' | 'item' | 'number' | 'ranges' | 'updatedAt'
>;
export type AnnotationResponse = RowOf<Omit<ShownAnnotation, 'note'>> & {
  /** Absent if empty, because clients of the original do not know this field. */
  readonly note: string | undefined;
};

/** The fields of an item in every answer. Flags, ids, counts and times are text, "0" where there is no value. */
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

/** Empty fields are absent, because typed clients fail on anything but an object with fields. */
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
  /** Only set if the call searches for a text and the article contains it. */
  readonly passage?: PassageResponse;
}

/** Plain text, and the start and end of each match, in UTF-16 units. */
export interface PassageResponse {
  readonly text: string;
  readonly matches: readonly (readonly [from: number, to: number])[];
}

/**
 * `sortId` is the position in the answer, for clients whose objects have no order. `assign` takes 1 µs per item.
 * Spreading so many fields takes 20 µs, which adds up in lists of thousands of items.
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

/** Returns minutes, at the reading speed of the original. */
export const minutesToRead = (words: number): number => Math.round(words / WORDS_READ_A_MINUTE);

/** Returns seconds, at the speaking speed of the original. */
export const secondsToListen = (words: number): number =>
  Math.round((words / WORDS_HEARD_A_MINUTE) * 60);

/** Media belong to the resolved page and carry its id. */
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

/** Uses `fromEntries`, which defines each field, so that a tag named `__proto__` is not lost. */
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
 * Uses the host of the URL as it is fetched. `example.com:8080/x`, for example, has no scheme but looks as if it had
 * one.
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
