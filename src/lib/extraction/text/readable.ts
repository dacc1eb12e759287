import { Readability } from '@mozilla/readability';

import {
  attribute,
  type DomDocument,
  type DomElement,
  isElement,
  isText,
  startOf,
} from '../dom.js';
import { PLAYER_HOSTS } from '../media/players.js';

/** What Readability makes of a page. */
export interface Readable {
  readonly element: DomElement;
  readonly byline: string;
}

/** The element that Readability makes of a document, which it takes apart; undefined when it finds none. */
export function readableElement(document: DomDocument): Readable | undefined {
  try {
    const article = new ScannedReadability(document, {
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

const BYLINE = /byline|author|dateline|writtenby|p-author/iu;
const LONGEST_BYLINE = 100;
const LONGEST_HEADING = 2_000;

/**
 * Readability with its questions of each element asked so that the answer is the same and costs less: what the scanner
 * has taken out is not looked for, and no element's whole text is put together to learn whether it has some.
 */
class ScannedReadability extends Readability {
  /** Styles have become the attribute. */
  protected override _isProbablyVisible(element: DomElement): boolean {
    return (
      !element.hasAttribute('hidden') &&
      (attribute(element, 'aria-hidden') !== 'true' ||
        attribute(element, 'class').includes('fallback-image'))
    );
  }

  protected override _isValidByline(element: DomElement, label: string): boolean {
    const isNamed =
      attribute(element, 'rel') === 'author' ||
      attribute(element, 'itemprop').includes('author') ||
      BYLINE.test(label);
    const length = isNamed ? (element.textContent ?? '').trim().length : 0;
    return length > 0 && length < LONGEST_BYLINE;
  }

  protected override _isElementWithoutContent(element: DomElement): boolean {
    return !hasText(element) && super._isElementWithoutContent(element);
  }

  /**
   * An expression of Readability's reads a long `srcset` from each of its letters on, to make addresses absolute; the
   * pictures of the article have theirs made so anyway.
   */
  protected override _fixRelativeUris(content: DomElement): void {
    const sets = [...content.querySelectorAll('[srcset]')].map(
      (element) => [element, attribute(element, 'srcset')] as const,
    );
    sets.forEach(([element]) => {
      element.setAttribute('srcset', '');
    });
    super._fixRelativeUris(content);
    sets.forEach(([element, set]) => {
      element.setAttribute('srcset', set);
    });
  }

  /** A heading of this length repeats no title, and to compare its words takes seconds for megabytes. */
  protected override _headerDuplicatesTitle(heading: DomElement): boolean {
    return (
      /^h[12]$/u.test(heading.localName) &&
      startOf(heading, LONGEST_HEADING).length < LONGEST_HEADING &&
      super._headerDuplicatesTitle(heading)
    );
  }

  /** There are none left. */
  protected override _cleanStyles(): void {}
}

function hasText(element: DomElement): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    const isIn = isElement(node)
      ? hasText(node)
      : isText(node) && /\S/u.test(node.textContent ?? '');
    if (isIn) {
      return true;
    }
  }
  return false;
}
