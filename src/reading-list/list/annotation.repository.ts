import { Any, Repository } from 'typeorm';

import { rowSetValues } from '../../platform/database/entity-columns.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { Annotation } from '../entities/annotation.entity.js';
import {
  ANNOTATION_PLACES,
  DELETE_ANNOTATIONS,
  WRITE_ANNOTATIONS,
  WRITTEN_COLUMNS,
} from './annotation.sql.js';
import type { ListChanges } from './list-changes.js';
import type { TouchedAnnotations } from './list-state.js';
import type { AnnotationPlace } from './tracked-annotations.js';

export type AnnotationsByItem = ReadonlyMap<string, readonly Annotation[]>;

/** Where a page of annotations ends. */
export type AnnotationPosition = Pick<Annotation, 'createdAt' | 'annotationId'>;

interface AnnotationsWanted {
  readonly order: 'ASC' | 'DESC';
  readonly count: number;
  readonly after: AnnotationPosition | undefined;
}

const NONE: TouchedAnnotations = { ids: [], itemIds: [] };

/** The passages that users have marked in articles. */
export class AnnotationRepository extends Repository<Annotation> {
  /** Those of the items, the oldest first. */
  async ofItems(userId: string, itemIds: readonly string[]): Promise<AnnotationsByItem> {
    const found =
      itemIds.length === 0
        ? []
        : await this.find({
            where: { userId, itemId: Any([...itemIds]) },
            order: { itemId: 'ASC', createdAt: 'ASC', annotationId: 'ASC' },
          });
    const byItem = new Map<string, Annotation[]>();
    for (const annotation of found) {
      byItem.set(annotation.itemId, [...(byItem.get(annotation.itemId) ?? []), annotation]);
    }
    return byItem;
  }

  /** All of a user, by the time they were made. */
  inOrder(userId: string, { order, count, after }: AnnotationsWanted): Promise<Annotation[]> {
    const found = this.createQueryBuilder('annotation')
      .where('annotation.user_id = :userId', { userId })
      .orderBy('annotation.createdAt', order)
      .addOrderBy('annotation.annotationId', order)
      .limit(count);
    if (after !== undefined) {
      const isBehind = order === 'ASC' ? '>' : '<';
      found.andWhere(
        `(annotation.created_at, annotation.annotation_id) ${isBehind} (:createdAt, :annotationId)`,
        { createdAt: after.createdAt, annotationId: after.annotationId },
      );
    }
    return found.getMany();
  }

  /** Which annotations there are among those touched, and on the items touched. */
  async places(
    userId: string,
    { ids, itemIds }: TouchedAnnotations = NONE,
  ): Promise<readonly AnnotationPlace[]> {
    return ids.length + itemIds.length === 0
      ? []
      : queryRows<AnnotationPlace>(this.manager, ANNOTATION_PLACES, [userId, itemIds, ids]);
  }

  /** Writes the annotations that went and came; the rows of their items are there already. */
  async write(userId: string, { removed, written }: ListChanges['annotations']): Promise<void> {
    await Promise.all([
      removed.length > 0 && queryRows(this.manager, DELETE_ANNOTATIONS, [userId, removed]),
      written.length > 0 &&
        queryRows(this.manager, WRITE_ANNOTATIONS, [
          userId,
          ...rowSetValues(
            WRITTEN_COLUMNS,
            written.map(({ ranges, ...annotation }) => ({
              note: undefined,
              ...annotation,
              ranges: ranges && JSON.stringify(ranges),
            })),
          ),
        ]),
    ]);
  }
}
