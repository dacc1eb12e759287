import { DEFAULT_HIGHLIGHT_COLOR } from '../../lib/util/highlight-color.js';
import { assigned, columnsFor, namesOf, rowSet } from '../../platform/database/entity-columns.js';
import { Annotation } from '../entities/annotation.entity.js';

/**
 * Finds annotations by their ids or by their items. This is a UNION, so that each of the two searches uses an index.
 */
export const ANNOTATION_PLACES = `
    SELECT annotation_id AS "annotationId", item_id AS "itemId" FROM annotations
    WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION
    SELECT annotation_id, item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($3::text[])`;

/**
 * Deletes annotations. This is raw SQL, because TypeORM would send the statement after the other writes of the
 * transaction instead of together with them.
 */
export const DELETE_ANNOTATIONS = `DELETE FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[])`;

const GIVEN_COLUMNS = columnsFor(Annotation, [
  'annotationId',
  'itemId',
  'quote',
  'patch',
  'version',
  'createdAt',
  'updatedAt',
]);

const KEPT_COLUMNS = columnsFor(Annotation, ['note', 'ranges', 'color']);
const NUMBER = columnsFor(Annotation, ['number']);

export const WRITTEN_COLUMNS = [...GIVEN_COLUMNS, ...KEPT_COLUMNS, ...NUMBER];

/**
 * Finds the stored annotation if a client sends an annotation again. If the client sends no note, no ranges or no
 * color, the stored values are kept: some clients do not support notes, few support ranges, and only the reader
 * supports colors.
 */
const THERE = `FROM annotations there WHERE there.user_id = $1 AND there.annotation_id = row.annotation_id`;
const KEPT = `coalesce(note, (SELECT there.note ${THERE}), ''), coalesce(ranges, (SELECT there.ranges ${THERE})),
  coalesce(color, (SELECT there.color ${THERE}), '${DEFAULT_HIGHLIGHT_COLOR}'), number`;

/**
 * Inserts or updates annotations. If a client sends an annotation again, the annotation keeps its item and its 31-bit
 * id.
 */
export const WRITE_ANNOTATIONS = `
    INSERT INTO annotations (user_id, ${namesOf(WRITTEN_COLUMNS)})
    SELECT $1, ${namesOf(GIVEN_COLUMNS)}, ${KEPT} FROM ${rowSet(WRITTEN_COLUMNS, 2)}
    ON CONFLICT (user_id, annotation_id) DO UPDATE SET
      ${assigned([...GIVEN_COLUMNS.slice(2), ...KEPT_COLUMNS], 'excluded')}`;
