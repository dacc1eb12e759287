import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { ListChanges } from './list-changes.js';

const DELETE = `DELETE FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[])`;

const WRITE = `
    INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at)
    SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
    ON CONFLICT (user_id, annotation_id) DO UPDATE SET
      quote = excluded.quote, patch = excluded.patch, version = excluded.version, created_at = excluded.created_at`;

/** Writes the annotations that went and came; the rows of their items are there already. */
export async function writeAnnotations(
  manager: EntityManager,
  userId: string,
  { annotations: { removed, written } }: ListChanges,
): Promise<void> {
  const isRemoving = removed.length > 0;
  const values = [
    userId,
    written.map(({ annotationId }) => annotationId),
    written.map(({ itemId }) => itemId),
    written.map(({ quote }) => quote),
    written.map(({ patch }) => patch),
    written.map(({ version }) => version),
    written.map(({ createdAt }) => createdAt),
  ];
  await Promise.all([
    isRemoving && run(manager, { text: DELETE, values: [userId, removed] }),
    written.length > 0 && run(manager, { text: WRITE, values }),
  ]);
}
