import type { AddedAt, Additions, ItemState } from '../list/list-state.js';
import type { ImportedItem } from './imported-item.js';

/** Returns the state of an item that only this row describes. */
export const stateOf = (row: ImportedItem): Partial<ItemState> => ({
  status: row.status ?? 0,
  favorite: row.favorite ?? 0,
  timeRead: row.timeRead,
  timeFavorited: row.timeFavorited,
  givenTitle: row.title ?? '',
  prefersGivenTitle: row.prefersGivenTitle ?? false,
  note: row.note,
});

/**
 * Returns the time and the sequence number of the addition, which orders items of the same second. A file lists the
 * oldest items first, unless its format says otherwise (docs/decisions/0035).
 */
export const additionOf = (
  additions: Additions,
  { timeAdded, isFromNewestFirst }: ImportedItem,
): AddedAt => (isFromNewestFirst ? additions.olderAt(timeAdded) : additions.at(timeAdded));

/**
 * Returns the changes that a newer row makes to an item. Values that are missing in the row remain. If the time of
 * addition is the same second, the item keeps its place in the list.
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
 * Returns the values of the row that earlier rows of its page lack. For example, a list of favorites adds the favorite.
 * A state that the item already has keeps its time, so a second import of the file changes nothing.
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
