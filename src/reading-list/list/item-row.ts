import { columnsOf, type RowOf } from '../../database/entity-columns.js';
import { ShownItem } from '../entities/item.entity.js';

/** What clients are told of an item, by the names of the columns: bigint columns are decimal text, as in answers. */
export type ItemRow = RowOf<ShownItem>;

/** The columns of `items` that an ItemRow has. */
export const ITEM_COLUMNS: readonly string[] = columnsOf(ShownItem).map(({ name }) => name);
