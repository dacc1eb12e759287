import { assigned, columnsFor, namesOf, rowSet } from '../../database/entity-columns.js';
import { Annotation } from '../entities/annotation.entity.js';

/** UNION: each half has an index of its own. */
export const ANNOTATION_PLACES = `
    SELECT annotation_id AS "annotationId", item_id AS "itemId" FROM annotations
    WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION
    SELECT annotation_id, item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($3::text[])`;

/** It is sent with the other writes of a batch, in the order of the calls: TypeORM's `delete` would be sent after them. */
export const DELETE_ANNOTATIONS = `DELETE FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[])`;

const GIVEN_COLUMNS = columnsFor(Annotation, [
  'annotationId',
  'itemId',
  'quote',
  'patch',
  'version',
  'createdAt',
]);

export const WRITTEN_COLUMNS = [...GIVEN_COLUMNS, ...columnsFor(Annotation, ['note'])];

/** Clients that know no notes send none: the one that is there stays. */
const NOTE = `coalesce(note, (SELECT there.note FROM annotations there
      WHERE there.user_id = $1 AND there.annotation_id = row.annotation_id), '')`;

/** An annotation that is sent again keeps its item. */
export const WRITE_ANNOTATIONS = `
    INSERT INTO annotations (user_id, ${namesOf(WRITTEN_COLUMNS)})
    SELECT $1, ${namesOf(GIVEN_COLUMNS)}, ${NOTE} FROM ${rowSet(WRITTEN_COLUMNS, 2)}
    ON CONFLICT (user_id, annotation_id) DO UPDATE SET
      ${assigned(WRITTEN_COLUMNS.slice(2), 'excluded')}`;
