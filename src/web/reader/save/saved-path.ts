import { textOf } from '../../../platform/common/request-fields.js';
import type { SavedBefore } from '../../../reading-list/list/action-outcome.js';

const SECONDS = /^[1-9]\d{0,9}$/;

/** The facts about a save that the address of the page contains. */
export interface SaveFacts {
  /** The previous save. Undefined if the address is without one. */
  readonly before: SavedBefore | undefined;
  readonly isNew: boolean;
}

/**
 * Returns the address of the page that shows a saved item. If the item was already in the list, the address contains
 * the time of the previous save, which the list no longer contains.
 */
export function savedPath(itemId: string, { before, isNew }: SaveFacts): string {
  const query = new URLSearchParams({ item: itemId });
  if (isNew) {
    query.set('new', '1');
  }
  if (before !== undefined) {
    query.set('since', String(before.timeAdded));
    query.set('from', before.isArchived ? 'archive' : 'list');
  }
  return `/save/done?${query.toString()}`;
}

/** Reads the facts about a save from the query of the page. */
export function saveFactsIn(query: unknown): SaveFacts {
  const before = savedBeforeIn(query);
  return { before, isNew: before === undefined && textOf(query, 'new') === '1' };
}

/** Returns undefined if the query is without a previous save, or if the time of the save is invalid. */
function savedBeforeIn(query: unknown): SavedBefore | undefined {
  const since = textOf(query, 'since');
  return SECONDS.test(since)
    ? { timeAdded: Number(since), isArchived: textOf(query, 'from') === 'archive' }
    : undefined;
}
