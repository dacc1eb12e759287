import { Readability } from '@mozilla/readability';

import type { DomDocument, DomElement } from '../dom/dom.js';
import { PLAYER_HOSTS } from '../media/players.js';

export interface Readable {
  readonly element: DomElement;
  readonly byline: string;
}

/** The element that Readability makes of a document, which it takes apart; undefined when it finds none. */
export function readableElement(document: DomDocument): Readable | undefined {
  try {
    const article = new Readability(document, {
      keepClasses: true,
      disableJSONLD: true,
      allowedVideoRegex: PLAYER_HOSTS,
      serializer: (element) => element,
    }).parse();
    return article?.content
      ? { element: article.content, byline: article.byline ?? '' }
      : undefined;
  } catch {
    // It stumbles over one page in 3,000 (mozilla/readability#836); other ways remain.
    return undefined;
  }
}
