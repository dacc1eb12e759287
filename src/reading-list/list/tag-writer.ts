import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { ListChanges } from './list-changes.js';
import type { TagRow } from './tag-rows.js';

/** How the number of items that carry a tag moved. */
export interface TagMove {
  readonly tagId: string;
  readonly by: number;
}

/** Counts are moved by the rows that really went and came; a tag that nobody carries is gone. */
const WRITE = `
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
      SELECT tag_id, coalesce(named.name, tag.name) AS name,
             coalesce(tag.item_count, 0) + coalesce(moves.by, 0) AS item_count
      FROM moves FULL JOIN unnest($10::bigint[], $11::text[]) AS named (tag_id, name) USING (tag_id)
      LEFT JOIN LATERAL (SELECT name, item_count FROM tags WHERE user_id = $1 AND tags.tag_id = coalesce(moves.tag_id, named.tag_id)) AS tag ON true
    ), vanished AS (
      DELETE FROM tags USING counted
      WHERE tags.user_id = $1 AND tags.tag_id = counted.tag_id AND counted.item_count = 0
      RETURNING 1
    ), kept AS (
      INSERT INTO tags (user_id, tag_id, name, item_count)
      SELECT $1, tag_id, name, item_count FROM counted WHERE item_count > 0
      ON CONFLICT (user_id, tag_id) DO UPDATE SET name = excluded.name, item_count = excluded.item_count
    )
    UPDATE lists SET tags_stamp = $12 WHERE user_id = $1 AND ($13::boolean OR EXISTS (SELECT FROM vanished))`;

/** Writes which items carry which tags, and the tags themselves; stamps the set of names when it has changed. */
export async function writeTags(
  manager: EntityManager,
  [userId, stamp]: readonly [userId: string, stamp: string],
  { tagRows, newNames }: ListChanges,
  moves: readonly TagMove[],
): Promise<void> {
  const { removed, inserted } = tagRows;
  if (removed.length + inserted.length + newNames.length + moves.length === 0) {
    return;
  }
  await run(manager, {
    text: WRITE,
    values: [
      userId,
      ...columnsOf(removed),
      ...columnsOf(inserted),
      moves.map(({ tagId }) => tagId),
      moves.map(({ by }) => by),
      newNames.map(({ id }) => id),
      newNames.map(({ name }) => name),
      stamp,
      newNames.length > 0,
    ],
  });
}

const columnsOf = (rows: readonly TagRow[]): unknown[] => [
  rows.map(({ tagId }) => tagId),
  rows.map(({ addedOrder }) => addedOrder),
  rows.map(({ itemId }) => itemId),
];
