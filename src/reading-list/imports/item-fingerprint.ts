import { hash } from 'node:crypto';

import type { ItemState, Origin } from '../list/list-state.js';

/**
 * Returns a 64-bit number that identifies the values of an item that users and imports can change, as decimal text. A
 * fetched page does not change the fingerprint. Each change by the user does, because it also changes the origin.
 */
export function fingerprintOf(state: ItemState, { timeUpdated, importedAsOf }: Origin): string {
  const text = JSON.stringify([
    [state.status, state.favorite, state.timeRead, state.timeFavorited],
    [state.timeAdded, state.addedSequence, state.givenUrl],
    [state.givenTitle, state.prefersGivenTitle, state.note],
    state.tagIds,
    [timeUpdated, importedAsOf],
  ]);
  return hash('sha1', text, 'buffer').readBigInt64BE().toString();
}
