import { FEWEST_WORDS } from './same-article.js';

/** The maximum number of items in a group. Further items of the group appear after these are merged. */
const MOST_IN_GROUP = 20;

/**
 * The address of the fetched page without its fragment and trailing slashes, as in `normalAddress`. Keeps fragments that
 * identify a page.
 *
 * The statement computes these values for each item of a list. `LIKE`, `right` and seeded hashes are several times faster
 * than regular expressions and concatenations.
 */
const TRIMMED = `CASE WHEN resolved_url LIKE '%#/%' OR resolved_url LIKE '%#!%' THEN rtrim(resolved_url, '/')
  WHEN resolved_url LIKE '%#%' OR resolved_url LIKE '%/' THEN rtrim(split_part(resolved_url, '#', 1), '/')
  ELSE resolved_url END`;

/** The address without its scheme and `www.` too. */
const ADDRESS = `CASE WHEN trimmed LIKE 'https://www.%' THEN right(trimmed, -12)
  WHEN trimmed LIKE 'https://%' THEN right(trimmed, -8) WHEN trimmed LIKE 'http://www.%' THEN right(trimmed, -11)
  ELSE right(trimmed, -7) END`;

/** The reversed host of the saved address, without the first label of a page for phones (same-article.ts). */
const SITE = `CASE WHEN site LIKE '%.m/' THEN left(site, -3) || '/' WHEN site LIKE '%.pma/' THEN left(site, -5) || '/'
  WHEN site LIKE '%.elibom/' THEN left(site, -8) || '/' ELSE site END`;

const ADDRESS_KEY = `hashtextextended(${ADDRESS}, 0)`;
const TEXT_KEY = `hashtextextended(excerpt, hashtextextended(${SITE}, hashtextextended(resolved_title, word_count)))`;

interface Grouping {
  readonly key: string;
  /** The condition of the items. */
  readonly condition: string;
  /** A condition of the column `trimmed`. */
  readonly pageCondition?: string;
  /** Another condition of the groups. */
  readonly having?: string;
}

/** Returns the items that can have duplicates, with the columns `key` and `address_key`. */
const hashedItems = ({ key, condition, pageCondition = 'true' }: Grouping): string => `
  SELECT item_id, added_order, ${key} AS key, ${ADDRESS_KEY} AS address_key
  FROM (SELECT item_id, added_order, excerpt, site, resolved_title, word_count, ${TRIMMED} AS trimmed FROM items
    WHERE user_id = $1 AND resolved_id <> 0 AND resolved_url <> '' AND is_index = 0 AND ${condition}) item
  WHERE ${pageCondition}`;

/**
 * Selects a page of groups, the group with the newest item first. $2 and $3 are the sort key of the newest item and the
 * hash of the last group of the previous page, $4 is the number of groups.
 */
const pageOfGroups = (grouping: Grouping): string => `
  WITH hashed AS MATERIALIZED (${hashedItems(grouping)}), groups AS (
    SELECT key, max(added_order) AS newest FROM hashed
    GROUP BY key HAVING count(*) > 1 ${grouping.having ?? ''} AND (max(added_order), key) < ($2::bigint, $3::bigint)
    ORDER BY newest DESC, key DESC LIMIT $4)
  SELECT groups.newest::text AS newest, groups.key::text AS key,
    (array_agg(hashed.item_id::text ORDER BY hashed.added_order, hashed.item_id))[1:${MOST_IN_GROUP}] AS "itemIds"
  FROM groups JOIN hashed ON hashed.key = groups.key
  GROUP BY groups.newest, groups.key ORDER BY groups.newest DESC, groups.key DESC`;

/** Selects groups of items whose pages have the same address after redirects. */
export const CERTAIN_GROUPS = pageOfGroups({
  key: ADDRESS_KEY,
  condition: '(is_article = 1 OR is_pdf = 1 OR has_video = 2 OR has_image = 2)',
  // A home page has no slash after its host.
  pageCondition: `trimmed LIKE '%://%/%'`,
});

/** Selects groups of items with equal articles of one site at different addresses. */
export const LIKELY_GROUPS = pageOfGroups({
  key: TEXT_KEY,
  condition: `is_article = 1 AND word_count >= ${FEWEST_WORDS} AND resolved_title <> ''`,
  having: 'AND min(address_key) <> max(address_key)',
});
