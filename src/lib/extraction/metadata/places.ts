import { type DomElement, labelOf } from '../dom.js';

/**
 * Matches elements in which a name is not the author of the page. For example, a quotation names the author of the
 * quoted text.
 */
export const NO_BYLINES = /^(?:nav|blockquote|footer)$/u;
/**
 * Matches elements in which a date is not the publication date. For example, the header of a page shows the current
 * date.
 */
export const NO_DATES = /^(?:nav|header)$/u;
/** A function that returns true if an element contains the headline or the `<main>` element of the page. */
export type IsAround = (element: DomElement) => boolean;

/** Matches elements that can have a header and footer of their own. */
const SECTION = /^(?:article|main|section)$/u;

/**
 * Returns true if an element is inside an element that matches `places`. Ignores matching elements
 * that contain the headline. Also ignores the headers and footers of sections.
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

const BESIDE =
  /(?:^|[\s_-])(?:comments?|comment-?list|disqus|respond|replies|reviews|rev|related|recommended|sidebar|recent-posts|most-read|popular)(?:$|[\s_-])/iu;
const DISCUSSION =
  /(?:^|[\s_-])(?:comments?|comment-?list|disqus|respond|replies|reviews|rev)(?:$|[\s_-])/iu;

/**
 * Returns true if the class or id of an element marks comments, reviews or links to other pages. Their authors and
 * dates are not those of the page.
 */
export const isBeside = (element: DomElement, label: string, isAround: IsAround): boolean =>
  label !== '' && BESIDE.test(label) && !isAround(element);

/** Matches the class of a quotation that a script turns into an embedded post. Old pages use quotations as a margin. */
const POST = /tweet|twitter|instagram|mastodon|bluesky|bsky|tiktok|reddit|threads|embed/iu;

const isPost = (element: DomElement): boolean =>
  element.localName === 'blockquote' && POST.test(labelOf(element));

/** Returns true if an element is inside comments, reviews or embedded posts. */
export function isOfOthers(element: DomElement, isAround: IsAround): boolean {
  for (let at: DomElement | null = element; at; at = at.parentElement) {
    if ((isPost(at) || DISCUSSION.test(labelOf(at))) && !isAround(at)) {
      return true;
    }
  }
  return false;
}
