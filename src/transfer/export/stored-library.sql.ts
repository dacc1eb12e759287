import { asProperties, columnsFor } from '../../platform/database/entity-columns.js';
import { Annotation } from '../../reading-list/entities/annotation.entity.js';
import { Item } from '../../reading-list/entities/item.entity.js';

/**
 * The number of items that are in memory at the same time. Annotations are selected separately, because they may be
 * large.
 */
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

/**
 * Selects the next items, oldest first or newest first. The items come from an index because of the row comparison,
 * which TypeORM does not support.
 */
export const OLDEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) > ($2, $3)
    ORDER BY added_order, item_id LIMIT ${ITEMS_AT_ONCE}`;

export const NEWEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) < ($2, $3)
    ORDER BY added_order DESC, item_id DESC LIMIT ${ITEMS_AT_ONCE}`;

/**
 * Selects the ids of items that have annotations, among given ids. All ids are in one array, so that one prepared
 * statement fits every number of ids.
 */
export const ANNOTATED = `SELECT DISTINCT item_id AS "itemId" FROM annotations WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Selects the annotations of an item. Returns rows instead of entities, because the texts are large and an export reads
 * each row once.
 */
export const ANNOTATIONS = `
    SELECT ${asProperties(ANNOTATION)} FROM annotations
    WHERE user_id = $1 AND item_id = $2 ORDER BY created_at, annotation_id`;

/**
 * Selects the data that an item shows of its page. Returns rows instead of entities, because an export reads each row
 * once.
 */
export const FOUND_OF_PAGE = `
    SELECT ${asProperties(FOUND)} FROM items WHERE user_id = $1 AND item_id = $2 AND resolved_id <> 0`;
