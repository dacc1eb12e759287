import type { Address } from '../list/address.js';
import type { NewItem } from '../list/list-state.js';
import type { Action } from './action.js';

/** An item that was in the list before, with the state that its user has given it. Times are Unix seconds. */
interface ItemToRebuild extends Omit<NewItem, 'item'> {
  readonly address: Address;
  readonly state: {
    readonly status: number;
    readonly favorite: number;
    readonly timeAdded: number;
    readonly timeRead: number;
    readonly timeFavorited: number;
    readonly note: string;
  };
}

/** Returns the actions that add an item with its times, its note, and its archived and favorite state. */
export function rebuildingActions({ address, state, ...added }: ItemToRebuild): Action[] {
  const { status, favorite, timeAdded, timeRead, timeFavorited, note } = state;
  const item = { address };
  const archived: Action = { action: 'archive', item, time: timeRead };
  const favorited: Action = { action: 'favorite', item, time: timeFavorited };
  const noted: Action = { action: 'set_note', item, note, time: undefined };
  return [
    { action: 'add', item, ...added, time: timeAdded },
    ...(status === 1 ? [archived] : []),
    ...(favorite === 1 ? [favorited] : []),
    ...(note === '' ? [] : [noted]),
  ];
}
