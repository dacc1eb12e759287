import type { DomElement } from '../dom.js';
import type { Clues } from '../metadata/clues.js';
import type { MediaFlag, PageImage, PageVideo } from '../page-content.js';
import type { PagesBefore } from '../pagination/page-numbers.js';
import { imagesOf, leadImage, renumbered, withLead } from './images.js';
import { videoOfPage, videosOf, withLengths } from './videos.js';

interface Media {
  readonly images: readonly PageImage[];
  readonly videos: readonly PageVideo[];
  readonly hasImage: MediaFlag;
  readonly hasVideo: MediaFlag;
}

/** Returns the media of a further page of an article, with numbers that follow those of the pages before. */
export const mediaAfter = (
  media: Media,
  article: DomElement | undefined,
  before: PagesBefore | undefined,
): Media =>
  before === undefined
    ? media
    : {
        ...media,
        images: renumbered(media.images, article, before.images),
        videos: media.videos.map((video) => ({
          ...video,
          position: video.position + before.videos,
        })),
      };

export const NO_MEDIA: Media = { images: [], videos: [], hasImage: 0, hasVideo: 0 };

/**
 * The videos of a page and the picture above its article. They are collected before the article finder removes
 * elements.
 */
interface BodyMedia {
  readonly lead: Omit<PageImage, 'position'> | undefined;
  readonly videos: readonly PageVideo[];
}

export const bodyMedia = (body: DomElement, topImage: string, base: string): BodyMedia => ({
  lead: leadImage(body, topImage, base),
  videos: videosOf(body, base),
});

/**
 * Returns the pictures and videos of a page. Sets the attribute `data-image` of each picture in
 * `article` to the number of the picture.
 */
export function mediaOf(
  article: DomElement | undefined,
  found: BodyMedia,
  clues: Clues,
  base: string,
): Media {
  const images = withLead(article ? imagesOf(article, base) : [], found.lead);
  const own = videoOfPage(clues);
  const embedded = withLengths(found.videos, clues.graph);
  const videos = own
    ? [own, ...embedded.filter(({ src }) => src !== own.src).map(moved)]
    : embedded;
  return {
    images,
    videos,
    hasImage: images.length > 0 ? 1 : 0,
    hasVideo: own ? 2 : videos.length > 0 ? 1 : 0,
  };
}

const moved = (video: PageVideo): PageVideo => ({ ...video, position: video.position + 1 });
