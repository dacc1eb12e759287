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
import { meaningfulPart } from '../preparation/meaningful-parts.js';

/** The article of a page according to Readability. */
export interface Readable {
  readonly element: DomElement;
  readonly byline: string;
}

/**
 * Returns the element that contains the article according to Readability. Returns undefined if Readability finds no
 * article. Modifies the document.
 */
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
    // Readability throws on one page in 3,000 (mozilla/readability#836). The caller then selects the densest element.
    return undefined;
  }
}

const BYLINE = /byline|author|dateline|writtenby|p-author/iu;
const LONGEST_BYLINE = 100;
const LONGEST_HEADING = 2_000;

/**
 * Replaces slow checks of Readability with faster checks that have the same results. The faster
 * checks do not search for content that the markup scanner has already removed, and do not join the
 * whole text of an element.
 */
class ScannedReadability extends Readability {
  readonly #mustStay = meaningfulPart();

  /** Keeps elements that contain a meaningful part of the text, whatever their links and classes are. */
  protected override _removeNodes(
    elements: readonly DomElement[],
    isRemoved?: (this: Readability, element: DomElement) => boolean,
  ): void {
    const mustStay = this.#mustStay;
    super._removeNodes(
      elements,
      isRemoved &&
        function (element) {
          return isRemoved.call(this, element) && !mustStay(element);
        },
    );
  }

  /**
   * Checks only attributes, not styles. For each element that a style hides, the markup scanner has already removed the
   * style and added the attribute `hidden`.
   */
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
   * Removes each `srcset` while Readability makes addresses absolute, because Readability needs
   * quadratic time for a long `srcset`. The addresses in a `srcset` are made absolute later.
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

  /**
   * Returns true if a heading repeats the title of the page. Does not compare headings of more than 2,000 characters:
   * they never repeat the title, and the comparison of a heading with megabytes of text would take seconds.
   */
  protected override _headerDuplicatesTitle(heading: DomElement): boolean {
    return (
      /^h[12]$/u.test(heading.localName) &&
      startOf(heading, LONGEST_HEADING).length < LONGEST_HEADING &&
      super._headerDuplicatesTitle(heading)
    );
  }

  /** Does nothing, because the markup scanner has already removed the styles that Readability would remove here. */
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
