import type { EntityManager } from 'typeorm';

import { run, type Statement } from '../../database/statements.js';
import type { ListChanges } from './list-changes.js';

/** Ids and a stamp are all that stays of what was deleted. */
const INSERT = `
    INSERT INTO tombstones (user_id, item_id, stamp) SELECT $1, item_id, $2 FROM unnest($3::bigint[]) AS item_id
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp`;

const DELETE = `DELETE FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Writes which items are deleted, and which came back. */
export function writeTombstones(
  manager: EntityManager,
  [userId, stamp]: readonly [userId: string, stamp: string],
  { tombstones, revived }: ListChanges,
): Promise<unknown> {
  const statements: Statement[] = [];
  if (tombstones.length > 0) {
    statements.push({ text: INSERT, values: [userId, stamp, tombstones] });
  }
  if (revived.length > 0) {
    statements.push({ text: DELETE, values: [userId, revived] });
  }
  return Promise.all(statements.map((one) => run(manager, one)));
}
