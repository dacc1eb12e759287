import type { DomElement } from '../dom.js';

/** A quotation names whom it is of; menus and the foot of a page, others. */
export const NO_BYLINES = /^(?:nav|blockquote|footer)$/u;
/** The head of a page has the day on which it is read. */
export const NO_DATES = /^(?:nav|header)$/u;
/** Whether the headline of the page, or its `<main>`, stands in an element. */
export type IsAround = (element: DomElement) => boolean;

/** What has a head and a foot of its own. */
const SECTION = /^(?:article|main|section)$/u;

/** Whether an element stands in one of these places, not around the headline; a head or foot only in that of the page. */
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
