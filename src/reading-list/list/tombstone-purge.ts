import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';

/** Lists in a batch, and tombstones of each: a statement stays short however many there are. */
const BATCH = { lists: 50, tombstones: 1000 } as const;

/** Deleting again gives a tombstone a new stamp, which is looked at once more under its lock. */
const PURGE = `
    WITH batch AS (SELECT user_id FROM lists WHERE user_id > $1 ORDER BY user_id LIMIT ${BATCH.lists}),
      expired AS (SELECT batch.user_id, item_id FROM batch, LATERAL (
        SELECT item_id FROM tombstones WHERE user_id = batch.user_id AND stamp < $2
        ORDER BY stamp, item_id LIMIT ${BATCH.tombstones}) oldest),
      gone AS (DELETE FROM tombstones USING expired
        WHERE tombstones.user_id = expired.user_id AND tombstones.item_id = expired.item_id AND stamp < $2)
    SELECT max(user_id) AS last, (SELECT count(*)::int FROM expired) AS purged FROM batch`;

interface PurgeRow {
  readonly last: string | null;
  readonly purged: number;
}

/** Forgets what was deleted before the stamp, in every list. Gives the number of what was forgotten. */
export async function purgeTombstones(manager: EntityManager, stamp: number): Promise<number> {
  let purged = 0;
  for (let after: string | null = '0'; after !== null;) {
    const rows: PurgeRow[] = await run<PurgeRow>(manager, { text: PURGE, values: [after, stamp] });
    const { last = null, purged: now = 0 } = rows[0] ?? {};
    purged += now;
    after = now < BATCH.tombstones ? last : after;
  }
  return purged;
}
