import type { Item } from '../entities/item.entity.js';
import { NOT_FETCHED } from '../entities/page-columns.js';
import { normalAddress, withRoute } from '../list/address.js';

/**
 * The minimum number of words of likely duplicates. Short texts with the same title and the same number of words can be
 * different, such as the daily weather report of a site (docs/decisions/0141).
 */
export const FEWEST_WORDS = 100;

/** The first labels of hosts that serve the same article to phones. `SITE` in duplicates.sql.ts has the same labels. */
const FOR_PHONES = /^(?:m|amp|mobile)\./;

/** Returns true if two items are the same article at two addresses. */
export const isSameArticle = (one: Item, other: Item): boolean =>
  hasSamePage(one, other) || hasSameText(one, other);

/** Returns true if the pages of both items have the same address after redirects. */
export function hasSamePage(one: Item, other: Item): boolean {
  const address = pageAddressOf(one);
  return address !== undefined && address === pageAddressOf(other);
}

/**
 * Returns the normalized address of the fetched page. Returns undefined if the page has no content, or if it is the home
 * page of a site, because sites redirect the addresses of different deleted pages there.
 */
function pageAddressOf(item: Item): string | undefined {
  const address = normalAddress(withRoute(item.resolvedUrl, item.givenUrl));
  const isHome = address === undefined || address.urlKey === `${address.domain}/`;
  return isHome || !hasContent(item) ? undefined : address.normalUrl;
}

const hasContent = (item: Item): boolean =>
  item.resolvedId !== NOT_FETCHED &&
  item.isIndex === 0 &&
  (item.isArticle === 1 || item.isPdf === 1 || item.hasVideo === 2 || item.hasImage === 2);

/** Returns true if both items are articles of one site with the same title, excerpt and number of words. */
const hasSameText = (one: Item, other: Item): boolean =>
  isLongArticle(one) &&
  isLongArticle(other) &&
  one.wordCount === other.wordCount &&
  one.resolvedTitle === other.resolvedTitle &&
  one.excerpt === other.excerpt &&
  siteOf(one) === siteOf(other);

const isLongArticle = (item: Item): boolean =>
  hasContent(item) &&
  item.isArticle === 1 &&
  item.wordCount >= FEWEST_WORDS &&
  item.resolvedTitle !== '';

const siteOf = ({ givenUrl }: Item): string | undefined =>
  normalAddress(givenUrl)?.domain.replace(FOR_PHONES, '');
