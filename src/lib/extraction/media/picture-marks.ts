import { attribute, type DomElement } from '../dom.js';
import { isEmbeddedPicture } from './embedded-pictures.js';

/** The maximum number of characters of all embedded pictures of an article. */
const MOST_OF_ARTICLE = 400_000;

/**
 * Marks the pictures of an article whose data is in the page itself, up to a total size. Separate from
 * `embedded-pictures.ts`, which the service loads at its start: this file loads the parser library.
 */
export class EmbeddedPictures {
  #used = 0;

  /** Marks a picture if its address contains the picture, and if the total size is not reached. */
  mark(image: DomElement): void {
    const src = attribute(image, 'src');
    if (isEmbeddedPicture(src) && this.#used + src.length <= MOST_OF_ARTICLE) {
      this.#used += src.length;
      image.setAttribute('data-embedded', '');
    }
  }
}
