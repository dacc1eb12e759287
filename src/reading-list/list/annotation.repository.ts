import { Any } from 'typeorm';

import type { HighlightColor } from '../../lib/util/highlight-color.js';
import { CustomRepository } from '../../platform/database/custom-repository.js';
import { rowSetValues } from '../../platform/database/entity-columns.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Annotation } from '../entities/annotation.entity.js';
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

/** The position of the last annotation on a page of results. The next page begins after it. */
export type AnnotationPosition = Pick<Annotation, 'createdAt' | 'annotationId'>;

interface AnnotationsWanted {
  readonly order: 'ASC' | 'DESC';
  readonly count: number;
  readonly after: AnnotationPosition | undefined;
  /** The color of the wanted annotations. Undefined means all colors. */
  readonly color?: HighlightColor | undefined;
}

const NONE: TouchedAnnotations = { ids: [], itemIds: [] };

/** Stores the highlights of users in articles. */
export class AnnotationRepository extends CustomRepository<Annotation> {
  static readonly entity = Annotation;

  /** Returns the annotations of the items, the oldest first. */
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

  /** Returns the ids of the items with annotations. */
  async itemIdsOf(userId: string): Promise<ReadonlySet<string>> {
    const found = await this.createQueryBuilder('annotation')
      .select('DISTINCT annotation.item_id', 'itemId')
      .where('annotation.user_id = :userId', { userId })
      .getRawMany<{ itemId: string }>();
    return new Set(found.map(({ itemId }) => itemId));
  }

  /** Returns one page of a user's annotations, in the order of their creation. */
  inOrder(
    userId: string,
    { order, count, after, color }: AnnotationsWanted,
  ): Promise<Annotation[]> {
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
    if (color !== undefined) {
      found.andWhere('annotation.color = :color', { color });
    }
    return found.getMany();
  }

  /**
   * Returns the id and the item id of each matching annotation. An annotation matches if its id is in `ids` or its item
   * id is in `itemIds`.
   */
  async places(
    userId: string,
    { ids, itemIds }: TouchedAnnotations = NONE,
  ): Promise<readonly AnnotationPlace[]> {
    return ids.length + itemIds.length === 0
      ? []
      : queryRows<AnnotationPlace>(this.manager, ANNOTATION_PLACES, [userId, itemIds, ids]);
  }

  /**
   * Deletes annotations, then inserts or updates other annotations. The caller must write the items of the annotations
   * first.
   */
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
              color: undefined,
              ...annotation,
              ranges: ranges && JSON.stringify(ranges),
            })),
          ),
        ]),
    ]);
  }
}
