import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';

/** A row of `annotations`; the time is in unix seconds. */
export interface AnnotationRow {
  readonly annotation_id: string;
  readonly item_id: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly created_at: string;
}

export type AnnotationsByItem = ReadonlyMap<string, readonly AnnotationRow[]>;

const OF_ITEMS = `
    SELECT annotation_id, item_id, quote, patch, version, created_at FROM annotations
    WHERE user_id = $1 AND item_id = ANY ($2::bigint[]) ORDER BY item_id, created_at, annotation_id`;

/** The annotations of the items, the oldest first. */
export async function findAnnotations(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<AnnotationsByItem> {
  const found = new Map<string, AnnotationRow[]>();
  if (itemIds.length > 0) {
    const values = [userId, itemIds];
    for (const row of await run<AnnotationRow & Record<string, unknown>>(manager, {
      text: OF_ITEMS,
      values,
    })) {
      found.set(row.item_id, [...(found.get(row.item_id) ?? []), row]);
    }
  }
  return found;
}
