import type { AddedAt, Additions, ItemState } from '../list/list-state.js';
import type { ImportedItem } from './imported-item.js';

/** Returns the state of a new item that a row of an imported file creates. */
export const stateOf = (row: ImportedItem, addition: AddedAt): Partial<ItemState> => ({
  status: row.status ?? 0,
  favorite: row.favorite ?? 0,
  timeRead: row.timeRead,
  timeFavorited: row.timeFavorited,
  givenTitle: row.title ?? '',
  prefersGivenTitle: row.prefersGivenTitle ?? false,
  note: row.note,
  ...addition,
});

/**
 * Returns the time at which the item was added, and a sequence number that orders items of the same second. Items are
 * numbered in the order of the file, unless its format lists the newest items first (docs/decisions/0035).
 */
export const additionOf = (
  additions: Additions,
  { timeAdded, isFromNewestFirst }: ImportedItem,
): AddedAt => (isFromNewestFirst ? additions.olderAt(timeAdded) : additions.at(timeAdded));

/**
 * Returns the changes that a newer row of the file makes to an item. Values that the row does not contain stay
 * unchanged. The item moves in the list only if the row contains another time of addition.
 */
export const newerState = (
  additions: Additions,
  state: ItemState,
  row: ImportedItem,
): Partial<ItemState> => ({
  ...(row.saysTimeAdded && row.timeAdded !== state.timeAdded && additionOf(additions, row)),
  ...statusOf(row),
  ...favoriteOf(row),
  ...(row.earlier === undefined ? titleOf(row) : missingTitle(state, row)),
});

export const missingTitle = ({ givenTitle }: ItemState, row: ImportedItem): Partial<ItemState> =>
  givenTitle === '' ? titleOf(row) : {};

/**
 * Returns the status and the favorite mark of a row if earlier rows for the same page exist but do not contain these
 * values. Omits a value that the item already has, so that importing a file again changes nothing.
 */
export const unsaidByEarlier = (
  { status, favorite }: ItemState,
  row: ImportedItem,
): Partial<ItemState> => ({
  ...(row.earlier?.saysStatus === false && row.status !== status && statusOf(row)),
  ...(row.earlier?.saysFavorite === false && row.favorite !== favorite && favoriteOf(row)),
});

const statusOf = ({ status, timeRead }: ImportedItem): Partial<ItemState> =>
  status === undefined ? {} : { status, timeRead };

const favoriteOf = ({ favorite, timeFavorited }: ImportedItem): Partial<ItemState> =>
  favorite === undefined ? {} : { favorite, timeFavorited };

const titleOf = ({ title, prefersGivenTitle }: ImportedItem): Partial<ItemState> =>
  title === undefined
    ? {}
    : { givenTitle: title, ...(prefersGivenTitle !== undefined && { prefersGivenTitle }) };
