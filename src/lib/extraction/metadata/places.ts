import type { DomElement } from '../dom.js';

/**
 * Matches elements whose bylines do not name the author of the page. Quotations name their source, and menus and
 * footers name other authors.
 */
export const NO_BYLINES = /^(?:nav|blockquote|footer)$/u;
/** Matches elements whose dates are not the date of the page. For example, page headers show the current date. */
export const NO_DATES = /^(?:nav|header)$/u;
/** A function that checks if an element contains the headline of the page or its `<main>`. */
export type IsAround = (element: DomElement) => boolean;

/** Matches elements that can have their own headers and footers. */
const SECTION = /^(?:article|main|section)$/u;

/**
 * Returns true if an element is inside an element that matches `places` and does not contain the headline. Headers and
 * footers count only if they belong to the page, not to a section of the page.
 */
export function stands(element: DomElement, places: RegExp, isAround: IsAround): boolean {
  let place: DomElement | undefined;
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (places.test(at.localName) && !isAround(at)) {
      place = at;
      if (!/^(?:header|footer)$/u.test(at.localName)) {
        return true;
      }
    }
    if (SECTION.test(at.localName)) {
      place = undefined;
    }
  }
  return place !== undefined;
}
