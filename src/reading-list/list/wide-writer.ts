import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { ListChanges, RetaggedTag } from './list-changes.js';
import { allowLongStatement } from './long-statement.js';
import type { TagMove } from './tag-writer.js';

/**
 * Each stored tag becomes another one or none, all at once, so that two may change places. DISTINCT reads all rows
 * that go before the first one comes; the place of a tag in the order of an item is kept, the first of two that
 * become one.
 */
const RETAG = `
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

interface Move {
  readonly counter: 'tag' | 'untagged';
  readonly key: string;
  readonly by: number;
}

/** How the counters moved while all items of a list were retagged. */
export interface WideMoves {
  readonly tags: readonly TagMove[];
  /** By the facet that the items have now: they were counted as tagged. */
  readonly untagged: ReadonlyMap<number, number>;
}

/** Renames and deletes tags on all items of the list, however many, in one statement. */
export async function retagAll(
  manager: EntityManager,
  owner: readonly [userId: string, stamp: string],
  { now, retagged }: ListChanges,
): Promise<WideMoves> {
  if (retagged.length === 0) {
    return { tags: [], untagged: new Map() };
  }
  await allowLongStatement(manager);
  const moves = await run<Move & Record<string, unknown>>(manager, {
    text: RETAG,
    values: [...owner, now, ...columnsOf(retagged)],
  });
  return {
    tags: moves
      .filter(({ counter }) => counter === 'tag')
      .map(({ key, by }) => ({ tagId: key, by })),
    untagged: new Map(
      moves.filter(({ counter }) => counter === 'untagged').map(({ key, by }) => [Number(key), by]),
    ),
  };
}

const columnsOf = (retagged: readonly RetaggedTag[]): unknown[] => [
  retagged.map(({ from }) => from.id),
  retagged.map(({ from }) => from.name),
  retagged.map(({ to }) => to?.id),
  retagged.map(({ to }) => to?.name),
];
