import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { AnnotationPlace } from './annotation.js';
import type { WantedAnnotations } from './wanted.js';

const PLACES = `
    SELECT annotation_id AS "annotationId", item_id AS "itemId" FROM annotations
    WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION
    SELECT annotation_id, item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($3::text[])`;

/** Which annotations there are among those wanted, and on the items wanted. */
export async function loadAnnotations(
  manager: EntityManager,
  userId: string,
  { ids, itemIds }: WantedAnnotations,
): Promise<readonly AnnotationPlace[]> {
  return ids.length + itemIds.length === 0
    ? []
    : run<AnnotationPlace & Record<string, unknown>>(manager, {
        text: PLACES,
        values: [userId, itemIds, ids],
      });
}
