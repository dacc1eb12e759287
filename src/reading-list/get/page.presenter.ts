import type { ItemRow } from '../entities/item.entity.js';
import { type ItemMedia, NO_MEDIA, NOT_FETCHED } from '../entities/page-columns.js';
import { isSameDocument, withRoute } from '../list/address.js';
import { shownTitle } from '../list/item-texts.js';

/** An object whose keys are numbers or ids, such as the images of an item. */
export type Keyed<T> = Readonly<Record<string, T>>;

export interface AuthorResponse {
  readonly author_id: string;
  readonly name: string;
  readonly url: string;
}

export interface FirstImageResponse {
  readonly item_id: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
}

export interface ImageResponse {
  readonly item_id: string;
  readonly image_id: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
  readonly credit: string;
  readonly caption: string;
}

export interface VideoResponse {
  readonly item_id: string;
  readonly video_id: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
  readonly type: string;
  readonly vid: string;
  readonly length: string;
}

type Author = ItemMedia['authors'][number];
type Image = ItemMedia['images'][number];
type Video = ItemMedia['videos'][number];

export const mediaOf = ({ media }: ItemRow): ItemMedia => media ?? NO_MEDIA;

export const presentAuthor = ({ id, name, url }: Author): AuthorResponse => ({
  author_id: id,
  name,
  url,
});

export const presentFirstImage = (
  pageId: string,
  [image]: readonly Image[],
): FirstImageResponse | undefined =>
  image && {
    item_id: pageId,
    src: image.src,
    width: String(image.width),
    height: String(image.height),
  };

/**
 * Returns an object with the images, keyed by number. The first key is "1", because clients expect the first image at
 * this key.
 */
export const presentImages = (
  pageId: string,
  images: readonly Image[],
): Keyed<ImageResponse> | undefined =>
  numbered(images, (image, number) => ({
    item_id: pageId,
    image_id: number,
    src: image.src,
    width: String(image.width),
    height: String(image.height),
    credit: image.credit,
    caption: image.caption,
  }));

export const presentVideos = (
  pageId: string,
  videos: readonly Video[],
): Keyed<VideoResponse> | undefined =>
  numbered(videos, (video, number) => ({
    item_id: pageId,
    video_id: number,
    src: video.src,
    width: String(video.width),
    height: String(video.height),
    type: String(video.type),
    vid: video.vid,
    length: String(video.length),
  }));

/** Returns an object with the values, keyed by number. The first key is "1". Returns undefined for an empty list. */
function numbered<T, W>(
  things: readonly T[],
  present: (thing: T, number: string) => W,
): Keyed<W> | undefined {
  const entries = things.map((thing, index) => {
    const number = String(index + 1);
    return [number, present(thing, number)] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * Returns the URL of the fetched page, or the saved URL if the page is not fetched. The result is never empty, because
 * clients show no other URL (docs/decisions/0016).
 */
export const resolvedUrlOf = ({ resolved_url, given_url }: ItemRow): string =>
  withRoute(resolved_url, given_url) || given_url;

export const resolvedTitleOf = (row: ItemRow): string =>
  shownTitle({
    givenUrl: row.given_url,
    givenTitle: row.given_title,
    prefersGivenTitle: row.prefers_given_title,
    resolvedTitle: row.resolved_title,
  });

/**
 * Returns the id of the page. If the page was not redirected from the saved URL, this is the id of the item, as in the
 * original Pocket API.
 */
export const resolvedIdOf = (row: ItemRow): string =>
  row.resolved_id !== NOT_FETCHED && isSameDocument(row.given_url, row.resolved_url)
    ? row.item_id
    : row.resolved_id;
