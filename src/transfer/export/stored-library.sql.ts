import { asProperties, columnsFor, columnsOf } from '../../platform/database/entity-columns.js';
import { Annotation } from '../../reading-list/entities/annotation.entity.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import { PageColumns } from '../../reading-list/entities/page-columns.js';

/**
 * The number of items that an export reads with one query. Annotations may be large, so an export reads the annotations
 * of each item with a separate query.
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
  'color',
]);
export type AnnotationRow = Readonly<Pick<Annotation, (typeof ANNOTATION)[number]['property']>>;

const ITEMS = `SELECT ${asProperties(EXPORTED)} FROM items`;

/**
 * Selects the next items in the order in which they were added. The statement is raw SQL, because TypeORM cannot
 * express a row comparison such as `(a, b) > ($1, $2)`. For such a comparison, PostgreSQL can use an index.
 */
export const OLDEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) > ($2, $3)
    ORDER BY added_order, item_id LIMIT ${ITEMS_AT_ONCE}`;

export const NEWEST_FIRST = `${ITEMS} WHERE user_id = $1 AND (added_order, item_id) < ($2, $3)
    ORDER BY added_order DESC, item_id DESC LIMIT ${ITEMS_AT_ONCE}`;

/**
 * Selects those ids from the array $2 whose items have annotations. All ids are one parameter, so the same prepared
 * statement works for any number of ids.
 */
export const ANNOTATED = `SELECT DISTINCT item_id AS "itemId" FROM annotations WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Selects the annotations of an item. Returns plain rows, because an export reads each row only once, and TypeORM
 * entities would only cost time and memory.
 */
export const ANNOTATIONS = `
    SELECT ${asProperties(ANNOTATION)} FROM annotations
    WHERE user_id = $1 AND item_id = $2 ORDER BY created_at, annotation_id`;

/**
 * Selects the data that Satchel extracted from the page of an item. Returns plain rows, because an export reads each
 * row only once, and TypeORM entities would only cost time.
 */
export const FOUND_OF_PAGE = `
    SELECT ${asProperties(columnsOf(PageColumns))} FROM items WHERE user_id = $1 AND item_id = $2 AND resolved_id <> 0`;
