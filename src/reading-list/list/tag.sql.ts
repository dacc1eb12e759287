import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { TAGGED } from '../facet.js';

/**
 * Selects rows of `item_tags`. This is raw SQL, because TypeORM would build tens of thousands of entities one by one.
 */
const PLACES = `SELECT tag_id AS "tagId", added_order AS "addedOrder", item_id AS "itemId" FROM item_tags WHERE user_id = $1`;

export const CARRIERS = `${PLACES} AND tag_id = ANY ($2::bigint[])`;

/** Selects the first $3 `item_tags` rows of a tag. Reads one contiguous range of the primary key. */
export const SOME_CARRIERS = `${PLACES} AND tag_id = $2 ORDER BY added_order, item_id LIMIT $3`;

/**
 * Renames or removes several tags in one step, so that two tags can swap their names. $5 is a JSON object that maps
 * each old name to the new name, or to null to remove the tag. This is raw SQL, because TypeORM would load and write
 * each row separately. Look-ups in a jsonb object are fast: 5,000 names on 1,000 items take 4 ms, instead of 959 ms
 * with a join.
 */
export const RETAG_ITEMS = `
    UPDATE items AS item SET stamp = $2, time_updated = $3, imported_as_of = NULL, tags = array(
      SELECT name FROM (
        SELECT CASE WHEN $5::jsonb ? tag.name THEN $5::jsonb->>tag.name ELSE tag.name END AS name, tag.place
        FROM unnest(item.tags) WITH ORDINALITY AS tag (name, place)) AS tag
      WHERE name IS NOT NULL GROUP BY name ORDER BY min(place))
    WHERE item.user_id = $1 AND item.item_id = ANY ($4::bigint[])
    RETURNING item.facet, item.tags = '{}' AS "isUntagged"`;

const GIVEN_ROWS = `unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS row (tag_id, added_order, item_id)`;

/** Deletes any number of `item_tags` rows in one statement. */
export const DELETE_ITEM_TAGS = `
    DELETE FROM item_tags AS old USING ${GIVEN_ROWS}
    WHERE old.user_id = $1 AND old.tag_id = row.tag_id
      AND old.added_order = row.added_order AND old.item_id = row.item_id`;

export const INSERT_ITEM_TAGS = `
    INSERT INTO item_tags (user_id, tag_id, added_order, item_id)
    SELECT $1, tag_id, added_order, item_id FROM ${GIVEN_ROWS}`;

/**
 * Adds tags to items. Skips items that already have the tag. Returns one row for each tag that was added to an item.
 */
export const JOIN_ITEM_TAGS = `${INSERT_ITEM_TAGS} ON CONFLICT DO NOTHING RETURNING tag_id`;

/** Inserts tags, or updates their names. An existing tag keeps its number (31-bit id). */
export const NAME_TAGS = `
    INSERT INTO tags (user_id, tag_id, name, number)
    SELECT $1, tag_id, name, number FROM unnest($2::bigint[], $3::text[], $4::integer[]) AS named (tag_id, name, number)
    ON CONFLICT (user_id, tag_id) DO UPDATE SET name = excluded.name`;

export const COUNT_TAGS = `
    UPDATE tags SET item_count = item_count + move.by FROM unnest($2::bigint[], $3::integer[]) AS move (tag_id, by)
    WHERE tags.user_id = $1 AND tags.tag_id = move.tag_id`;

/**
 * Stores the new list version in `tags_stamp` if a tag name is added, changed or removed. Must run before
 * DELETE_EMPTY_TAGS, which deletes the tags without items that this statement looks for.
 */
export const RENEW_TAGS_VERSION = `
    UPDATE lists SET tags_stamp = $2 WHERE user_id = $1 AND ($3::boolean OR EXISTS (
      SELECT FROM tags WHERE user_id = $1 AND tag_id = ANY ($4::bigint[]) AND item_count = 0))`;

export const DELETE_EMPTY_TAGS = `DELETE FROM tags WHERE user_id = $1 AND tag_id = ANY ($2::bigint[]) AND item_count = 0`;

/**
 * Selects the tag names and their version in one snapshot, so that the version belongs to exactly these names. Each
 * subquery compares the user with the parameter, because Citus would read all servers for a user in another row.
 */
export const TAG_NAMES = `
  SELECT list.tags_stamp,
         ARRAY(SELECT name FROM tags WHERE user_id = $1 AND item_count > 0 ORDER BY name) AS names
  FROM lists list WHERE list.user_id = $1`;

/**
 * Returns the tags that fit a page best. Compares the page with the first 1,000 items of the same
 * domain in the index. Within a host, these items are a random sample, because item ids are hashes.
 * LATERAL reads the row of an item only if its index entry shows that it has tags.
 */
export const SUGGEST_TAGS = `
  WITH near AS MATERIALIZED (
    SELECT row.tags FROM (
      SELECT item_id, facet FROM items WHERE user_id = $1 AND site >= $2::text AND site < $3::text
      ORDER BY site, item_id LIMIT 1000) neighbour
    CROSS JOIN LATERAL (SELECT tags FROM items
      WHERE user_id = $1 AND item_id = neighbour.item_id OFFSET 0) row
    WHERE neighbour.facet & ${TAGGED} = ${TAGGED} AND neighbour.item_id <> $4::bigint
  ), shares AS (
    SELECT name, count(*)::float8 / (SELECT count(*) FROM near) AS share FROM near, unnest(tags) name GROUP BY name
  )
  SELECT tag, round(score::numeric, 4)::float8 AS score FROM (
    SELECT tag.name AS tag, 0.6 * coalesce(share, 0) + CASE WHEN tag.tag_id = ANY ($5::bigint[]) THEN 0.3 ELSE 0 END
      + 0.1 * tag.item_count / (SELECT max(item_count)::float8 FROM tags WHERE user_id = $1) AS score
    FROM tags tag LEFT JOIN shares USING (name)
    WHERE tag.user_id = $1 AND tag.item_count > 0 AND tag.name <> ALL ($6::text[])
    ORDER BY score DESC, tag.name LIMIT 10) best
  ORDER BY best.score DESC, tag`;

/**
 * Returns the users for whom a rename or deletion of a tag is pending. This is raw SQL, because the
 * statement must begin with the comment OVER_ALL_USERS.
 */
export const OWNERS_OF_MOVES = `${OVER_ALL_USERS} SELECT DISTINCT user_id AS "userId" FROM tag_moves`;

export const OWNERS_OF_MOVES_ON_ONE_SERVER = {
  table: 'tag_moves',
  text: (part: string): string => `SELECT DISTINCT user_id FROM ${part}`,
};

/**
 * Returns a row if one of the items has a tag that is being renamed or deleted. Compares the tag names in the rows of
 * the items, because the table `item_tags` has no index by item.
 */
export const HAVE_TO_FOLLOW = `
  SELECT FROM items item JOIN tag_moves move ON move.user_id = item.user_id AND move.source = ANY (item.tags)
  WHERE item.user_id = $1 AND item.item_id = ANY ($2::bigint[]) LIMIT 1`;
