import { Field, optional, text } from '../../platform/common/openapi.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { ItemMedia } from '../entities/page-columns.js';
import { hostOf } from '../list/address.js';
import type { Passage } from '../texts/passage.js';
import {
  noteOf,
  presentAnnotation,
  presentPassage,
  type ShownAnnotation,
} from './annotation.presenter.js';
import type { ItemDetail } from './get.request.js';
import {
  ANNOTATIONS,
  AUTHORS_OF_ITEM,
  FIRST_IMAGE,
  flag,
  IMAGES,
  ITEM_ID,
  mediaFlag,
  PAGE_ID,
  PASSAGE,
  SITE,
  STATUS,
  TAGS,
  time,
  VIDEOS,
  whole,
  WORD_COUNT,
} from './item.openapi.js';
import {
  type AuthorResponse,
  type Keyed,
  mediaOf,
  presentAuthor,
  presentFirstImage,
  presentImages,
  presentVideos,
  resolvedIdOf,
  resolvedTitleOf,
  resolvedUrlOf,
} from './page.presenter.js';

const WORDS_READ_A_MINUTE = 220;

const WORDS_HEARD_A_MINUTE = 155;

/** Returns the reading time in minutes, with the same reading speed as Pocket. */
export const minutesToRead = (words: number): number => Math.round(words / WORDS_READ_A_MINUTE);

/** Returns the smallest number of words whose reading time is at least this number of minutes. */
export const minutesAsWords = (minutes: number): number =>
  Math.ceil((minutes - 0.5) * WORDS_READ_A_MINUTE);

/** Returns the listening time in seconds, with the same speaking speed as Pocket. */
export const secondsToListen = (words: number): number =>
  Math.round((words / WORDS_HEARD_A_MINUTE) * 60);

/** The data from which an item of a response is computed. */
export interface ShownItem {
  readonly row: ItemRow;
  /** The position of the item in the response, for clients that do not keep the order of a JSON object. */
  readonly sortId: number;
  readonly shows: ItemDetail;
  readonly annotations?: readonly ShownAnnotation[] | undefined;
  /** The part of the article that matches the search. */
  readonly passage?: Passage | undefined;
}

/**
 * The data from which the fields of an item are computed. The members are private, because JSON
 * omits private members.
 */
class ItemData {
  readonly #shown: ShownItem;
  readonly #pageId: string;
  readonly #media: ItemMedia;

  constructor(shown: ShownItem) {
    this.#shown = shown;
    this.#pageId = resolvedIdOf(shown.row);
    this.#media = mediaOf(shown.row);
  }

  protected get shown(): ShownItem {
    return this.#shown;
  }

  protected get row(): ItemRow {
    return this.#shown.row;
  }

  /**
   * Images, videos and authors belong to the fetched page, so they contain the id of this page instead of the item's
   * id.
   */
  protected get pageId(): string {
    return this.#pageId;
  }

  protected get media(): ItemMedia {
    return this.#media;
  }
}

/**
 * An item in a response of `/v3/get`: each field with its value and its documentation. Flags, ids, counts and times are
 * text. JSON omits undefined fields. An object without entries is undefined, because typed clients do not accept an
 * empty object.
 */
export class PresentedItem extends ItemData {
  @Field(ITEM_ID)
  readonly item_id = this.row.item_id;

  @Field(PAGE_ID)
  readonly resolved_id = this.pageId;

  @Field(text('The URL as it was saved.'))
  readonly given_url = this.row.given_url;

  @Field(text('The title as it was saved. Can be empty.'))
  readonly given_title = this.row.given_title;

  @Field(flag('1 if the item is a favorite.'))
  readonly favorite = String(this.row.favorite);

  @Field(STATUS)
  readonly status = String(this.row.status);

  @Field(time('The time at which the item came to the top of the list'))
  readonly time_added = this.row.time_added;

  @Field(time('The time of the last change of the item'))
  readonly time_updated = this.row.time_updated;

  @Field(time('The time at which the item was archived'))
  readonly time_read = this.row.time_read;

  @Field(time('The time at which the item became a favorite'))
  readonly time_favorited = this.row.time_favorited;

  @Field(whole('The position of the item in this answer, starting at 0.'))
  readonly sort_id = this.shown.sortId;

  @Field(
    text(
      'The title of the page. Until the page is fetched, the saved title, or the URL if there is no title.',
    ),
  )
  readonly resolved_title = resolvedTitleOf(this.row);

  @Field(text('The URL of the page after all redirects. Until the page is fetched, the saved URL.'))
  readonly resolved_url = resolvedUrlOf(this.row);

  @Field(text('The first lines of the article. Can be empty.'))
  readonly excerpt = this.row.excerpt;

  @Field(flag('1 if the page is an article.'))
  readonly is_article = String(this.row.is_article);

  @Field(flag('1 if the page is a front page or a section page.'))
  readonly is_index = String(this.row.is_index);

  @Field(mediaFlag('videos', 'a video'))
  readonly has_video = String(this.row.has_video);

  @Field(mediaFlag('images', 'an image'))
  readonly has_image = String(this.row.has_image);

  @Field(WORD_COUNT)
  readonly word_count = String(this.row.word_count);

  @Field(text('The two-letter code of the language. Can be empty.'))
  readonly lang = this.row.lang;

  @Field(whole('Estimated reading time in minutes, or 0 if the page is not an article.'))
  readonly time_to_read = this.row.is_article === 1 ? minutesToRead(this.row.word_count) : 0;

  @Field(optional(text('The URL of the main image of the page.')))
  readonly top_image_url = this.row.top_image_url || undefined;

  @Field(optional(TAGS))
  readonly tags = this.shown.shows.tags ? presentTags(this.row) : undefined;

  @Field(optional(AUTHORS_OF_ITEM))
  readonly authors = this.shown.shows.authors
    ? presentAuthors(this.pageId, this.media.authors)
    : undefined;

  @Field(optional(FIRST_IMAGE))
  readonly image = this.shown.shows.images
    ? presentFirstImage(this.pageId, this.media.images)
    : undefined;

  @Field(optional(IMAGES))
  readonly images = this.shown.shows.images
    ? presentImages(this.pageId, this.media.images)
    : undefined;

  @Field(optional(VIDEOS))
  readonly videos = this.shown.shows.videos
    ? presentVideos(this.pageId, this.media.videos)
    : undefined;

  @Field(optional(SITE))
  readonly domain_metadata = this.shown.shows.domainMetadata
    ? presentSite(this.resolved_url)
    : undefined;

  @Field(optional(text('The note of the user about the page. Only with `detailType=complete`.')))
  readonly note = this.shown.shows.note ? noteOf(this.row) : undefined;

  @Field(optional(ANNOTATIONS))
  readonly annotations = this.shown.annotations?.map(presentAnnotation);

  @Field(whole('Estimated listening time in seconds, or 0 if unknown.'))
  readonly listen_duration_estimate = secondsToListen(this.row.word_count);

  @Field(optional(PASSAGE))
  readonly passage = this.shown.passage && presentPassage(this.shown.passage);
}

/** The names of the fields of an item in a response of `/v3/get`. */
export type ItemResponse = Pick<PresentedItem, keyof PresentedItem>;

/**
 * Returns an object with the tags of an item by name. `fromEntries` defines each property, so a tag with the name
 * `__proto__` is not lost.
 */
const presentTags = ({
  item_id,
  tags,
}: ItemRow): Keyed<{ readonly item_id: string; readonly tag: string }> =>
  Object.fromEntries(tags.map((tag) => [tag, { item_id, tag }]));

const presentAuthors = (
  pageId: string,
  authors: ItemMedia['authors'],
): Keyed<AuthorResponse & { readonly item_id: string }> | undefined =>
  authors.length === 0
    ? undefined
    : Object.fromEntries(
        authors.map((author) => [author.id, { item_id: pageId, ...presentAuthor(author) }]),
      );

/**
 * Returns the host of the fetched URL. A missing scheme is added before parsing: in `example.com:8080/x`, a URL parser
 * would take the host for the scheme.
 */
function presentSite(url: string): { readonly name: string } | undefined {
  const name = hostOf(url);
  return name === undefined ? undefined : { name };
}
