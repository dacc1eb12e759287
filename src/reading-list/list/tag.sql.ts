/**
 * Each stored tag becomes another one or none, on all items of the list and all at once, so that two may change places:
 * one statement, however many items carry them, where entities would have to be loaded. DISTINCT reads all rows that go
 * before the first one comes; the place of a tag in the order of an item is kept, the first of two that become one.
 */
export const RETAG_ALL = `
    WITH retagged AS (
      SELECT * FROM unnest($4::bigint[], $5::text[], $6::bigint[], $7::text[])
        AS tag (source_id, source, target_id, target)
    ), removed AS (
      DELETE FROM item_tags AS old USING retagged
      WHERE old.user_id = $1 AND old.tag_id = retagged.source_id
        AND retagged.target_id IS DISTINCT FROM retagged.source_id
      RETURNING retagged.source_id, retagged.target_id, old.added_order, old.item_id
    ), inserted AS (
      INSERT INTO item_tags (user_id, tag_id, added_order, item_id)
      SELECT DISTINCT $1::bigint, target_id, added_order, item_id FROM removed WHERE target_id IS NOT NULL
      ON CONFLICT DO NOTHING
      RETURNING tag_id
    ), changed AS (
      UPDATE items AS item SET stamp = $2, time_updated = $3, imported_as_of = NULL, tags = array(
        SELECT name FROM (
          SELECT CASE WHEN retagged.source IS NULL THEN tag.name ELSE retagged.target END AS name, tag.place
          FROM unnest(item.tags) WITH ORDINALITY AS tag (name, place)
          LEFT JOIN retagged ON retagged.source = tag.name) AS tag
        WHERE name IS NOT NULL GROUP BY name ORDER BY min(place))
      WHERE item.user_id = $1 AND item.item_id IN (
        SELECT carried.item_id FROM item_tags AS carried
        WHERE carried.user_id = $1 AND carried.tag_id = ANY ($4::bigint[]))
      RETURNING item.facet, item.tags = '{}' AS is_untagged
    )
    SELECT 'tag' AS counter, source_id::text AS key, -count(*)::integer AS by FROM removed GROUP BY source_id
    UNION ALL SELECT 'tag', tag_id::text, count(*)::integer FROM inserted GROUP BY tag_id
    UNION ALL SELECT 'untagged', facet::text, count(*)::integer FROM changed WHERE is_untagged GROUP BY facet`;

/**
 * Counts are moved by the rows that really went and came, and a tag that no item carries is gone, in one statement: what
 * a CTE has deleted is what TypeORM could not tell before the next one.
 */
export const WRITE_TAGS = `
    WITH removed AS (
      DELETE FROM item_tags AS old
      USING unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS row (tag_id, added_order, item_id)
      WHERE old.user_id = $1 AND old.tag_id = row.tag_id
        AND old.added_order = row.added_order AND old.item_id = row.item_id
      RETURNING old.tag_id
    ), inserted AS (
      INSERT INTO item_tags (user_id, tag_id, added_order, item_id)
      SELECT $1, tag_id, added_order, item_id
      FROM unnest($5::bigint[], $6::bigint[], $7::bigint[]) AS row (tag_id, added_order, item_id)
      RETURNING tag_id
    ), moves AS (
      SELECT tag_id, sum(by)::integer AS by
      FROM (SELECT tag_id, -1 AS by FROM removed
            UNION ALL SELECT tag_id, 1 FROM inserted
            UNION ALL SELECT * FROM unnest($8::bigint[], $9::integer[])) AS move
      GROUP BY tag_id
    ), counted AS (
      SELECT tag_id, coalesce(named.name, tag.name) AS name, coalesce(tag.number, named.number) AS number,
             coalesce(tag.item_count, 0) + coalesce(moves.by, 0) AS item_count
      FROM moves FULL JOIN unnest($10::bigint[], $11::text[], $12::integer[]) AS named (tag_id, name, number) USING (tag_id)
      LEFT JOIN LATERAL (SELECT name, item_count, number FROM tags WHERE user_id = $1 AND tags.tag_id = coalesce(moves.tag_id, named.tag_id)) AS tag ON true
    ), vanished AS (
      DELETE FROM tags USING counted
      WHERE tags.user_id = $1 AND tags.tag_id = counted.tag_id AND counted.item_count = 0
      RETURNING 1
    ), kept AS (
      INSERT INTO tags (user_id, tag_id, name, item_count, number)
      SELECT $1, tag_id, name, item_count, number FROM counted WHERE item_count > 0
      ON CONFLICT (user_id, tag_id) DO UPDATE SET name = excluded.name, item_count = excluded.item_count
    )
    UPDATE lists SET tags_stamp = $13 WHERE user_id = $1 AND ($14::boolean OR EXISTS (SELECT FROM vanished))`;

/** One statement, hence one moment: a version that is older than the names would lose a change. */
export const TAG_NAMES = `
  SELECT list.tags_stamp,
         ARRAY(SELECT name FROM tags WHERE user_id = list.user_id AND item_count > 0 ORDER BY name) AS names
  FROM lists list WHERE list.user_id = $1`;

/**
 * Up to a thousand items of the domain, as the index has them, which is as good as by chance within a host; their
 * rows only where the index says that they have tags (LATERAL). Then the tags of the user, once through their key.
 */
export const SUGGEST_TAGS = `
  WITH near AS MATERIALIZED (
    SELECT row.tags FROM (
      SELECT item_id, facet FROM items WHERE user_id = $1 AND site >= $2::text AND site < $3::text
      ORDER BY site, item_id LIMIT 1000) neighbour
    CROSS JOIN LATERAL (SELECT tags FROM items
      WHERE user_id = $1 AND item_id = neighbour.item_id OFFSET 0) row
    WHERE neighbour.facet & 4 = 4 AND neighbour.item_id <> $4::bigint
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
