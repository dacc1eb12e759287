import type { OpenedItem } from '../../../articles/articles.service.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import type { LeadPicture } from './article.view.js';

/**
 * Returns the picture to show above the text, which is the first picture of the page. Returns undefined if the text
 * already contains this picture. If the item is a picture and has no text, the title of the item is the alternative
 * text of the picture.
 */
export function firstPicture(
  { item, page }: OpenedItem,
  pictures: ReadonlyMap<string, string>,
  shown: ShownArticle | undefined,
): LeadPicture | undefined {
  const [first] = pictures;
  if (first === undefined || shown?.placed.includes(first[0]) === true) {
    return undefined;
  }
  return {
    src: first[1],
    alt: shown === undefined ? resolvedTitleOf(item) : '',
    size: sizeOfFirst(page?.page.item.media.images ?? []),
  };
}

/** Returns the size of the first picture in pixels. Undefined if it is unknown. */
function sizeOfFirst([first]: readonly {
  readonly width: number;
  readonly height: number;
}[]): LeadPicture['size'] {
  return first !== undefined && first.width > 0 && first.height > 0
    ? { width: first.width, height: first.height }
    : undefined;
}
