import type { ItemRow } from './item-row.js';
import type { PagePosition } from './page-position.js';

/** A page of a list as it was at one moment. */
export interface ItemsFound {
  /** In the order asked for. */
  readonly rows: readonly ItemRow[];
  /** What was deleted, after the items; only when asked for what changed. */
  readonly tombstones: readonly Tombstone[];
  /** The stamp to ask with next time: everything that is in this answer has it or a lower one. */
  readonly since: number;
  /** Of the latest change of the list at that moment. */
  readonly stamp: number;
  readonly total?: number;
  /** The number of items and tombstones. */
  readonly size: number;
  /** The last row; absent when there is none. */
  readonly end?: PagePosition;
}

export interface Tombstone {
  readonly item_id: string;
}
