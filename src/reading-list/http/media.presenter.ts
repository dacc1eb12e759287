import type { ItemMedia } from '../list/item-row.js';

/** An object on the wire with the number or the id of each thing as its name. */
export type Keyed<T> = Readonly<Record<string, T>>;

export interface WireAuthor {
  readonly author_id: string;
  readonly name: string;
  readonly url: string;
}

export interface WireFirstImage {
  readonly item_id: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
}

export interface WireImage {
  readonly item_id: string;
  readonly image_id: string;
  readonly src: string;
  readonly width: string;
  readonly height: string;
  readonly credit: string;
  readonly caption: string;
}

export interface WireVideo {
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

export const presentAuthor = ({ id, name, url }: Author): WireAuthor => ({
  author_id: id,
  name,
  url,
});

export const presentFirstImage = (
  pageId: string,
  [image]: readonly Image[],
): WireFirstImage | undefined =>
  image && {
    item_id: pageId,
    src: image.src,
    width: String(image.width),
    height: String(image.height),
  };

/** Keyed from "1": clients look for the first image there. */
export const presentImages = (
  pageId: string,
  images: readonly Image[],
): Keyed<WireImage> | undefined =>
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
): Keyed<WireVideo> | undefined =>
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

/** Undefined for nothing. */
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
