import type { DomElement } from '../dom.js';

/** Bylines in these elements are not the page's: quotations name their source, menus and footers name others. */
export const NO_BYLINES = /^(?:nav|blockquote|footer)$/u;
/** Page headers show today's date. */
export const NO_DATES = /^(?:nav|header)$/u;
/** A check whether an element contains the headline of the page or its `<main>`. */
export type IsAround = (element: DomElement) => boolean;

/** Elements with their own headers and footers. */
const SECTION = /^(?:article|main|section)$/u;

/**
 * Returns true if an element is inside one of these places and the place does not contain the headline. Headers and
 * footers only count if they belong to the page, not to a section.
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
