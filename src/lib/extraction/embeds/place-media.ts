import type { DomElement } from '../dom.js';
import { showHiddenPictures } from '../media/hidden-pictures.js';
import { markEmbeds } from './embed-frames.js';

/** Puts pictures and frames into the places where a browser would show pictures, players and posts after all scripts. */
export function placeMedia(body: DomElement): void {
  showHiddenPictures(body);
  markEmbeds(body);
}
