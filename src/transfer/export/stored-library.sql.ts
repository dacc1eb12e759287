import { asProperties, columnsFor } from '../../platform/database/entity-columns.js';
import { Annotation } from '../../reading-list/entities/annotation.entity.js';
import { Item } from '../../reading-list/entities/item.entity.js';

/** As many as are held in memory at once, without their annotations, which may be large. */
const ITEMS_AT_ONCE = 1000;

const EXPORTED = columnsFor(Item, [
  'itemId',
  'givenUrl',
  'givenTitle',
  'resolvedTitle',
  'prefersGivenTitle',
  'tags',
  'status',
  'favorite',
  'timeAdded',
  'timeUpdated',
  'timeRead',
  'timeFavorited',
  'addedOrder',
  'number',
  'note',
]);
export type ExportedRow = Readonly<Pick<Item, (typeof EXPORTED)[number]['property']>>;

const ANNOTATION = columnsFor(Annotation, [
  'annotationId',
  'quote',
  'patch',
  'version',
  'note',
  'ranges',
  'createdAt',
]);
export type AnnotationRow = Readonly<Pick<Annotation, (typeof ANNOTATION)[number]['property']>>;

const FOUND = columnsFor(Item, [
  'resolvedUrl',
  'resolvedTitle',
  'excerpt',
  'lang',
  'wordCount',
  'topImageUrl',
  'media',
  'resolvedId',
]);
export type FoundRow = Readonly<Pick<Item, (typeof FOUND)[number]['property']>>;

const ITEMS = `SELECT ${asProperties(EXPORTED)} FROM items`;

/** A comparison of rows, which TypeORM lacks, reads each page from its index; so does the next. */
export const OLDEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) > ($2, $3)
    ORDER BY added_order, item_id LIMIT ${ITEMS_AT_ONCE}`;

export const NEWEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) < ($2, $3)
    ORDER BY added_order DESC, item_id DESC LIMIT ${ITEMS_AT_ONCE}`;

/** Those of a page of items that have annotations: one array, so that one prepared statement serves all. */
export const ANNOTATED = `SELECT DISTINCT item_id AS "itemId" FROM annotations WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Rows of large texts, which no entity is made of: an export reads each once. */
export const ANNOTATIONS = `
    SELECT ${asProperties(ANNOTATION)} FROM annotations
    WHERE user_id = $1 AND item_id = $2 ORDER BY created_at, annotation_id`;

/** What an item shows of its page, which is read once. */
export const FOUND_OF_PAGE = `
    SELECT ${asProperties(FOUND)} FROM items WHERE user_id = $1 AND item_id = $2 AND resolved_id <> 0`;
