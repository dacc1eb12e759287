import type { ActionOutcome } from '../list/action-outcome.js';
import type { ItemReference } from '../list/list-state.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import type { TrackedItem } from '../list/tracked-items.js';
import { detailsBytes } from '../storage/stored-size.js';
import type { PageDetails } from './page-details.js';
import type { StoredDetails } from './tracked-details.js';

/** Changes the data that clients have sent about an item's page, such as its language. */
export const describeItem = (
  list: ListUnitOfWork,
  reference: ItemReference,
  changes: PageDetails,
): ActionOutcome =>
  list.on(reference, (item) => {
    const { itemId, state } = item;
    const after = list.details.after({ itemId, givenUrl: state.givenUrl }, changes);
    const before = list.details.of(itemId);
    const bytes = after === undefined ? 0 : detailsBytes(after) - detailsBytes(before);
    return list.within(bytes, () => {
      writeDetails(list, item, after);
      return { ok: true, itemId };
    });
  });

/**
 * Stores the data about a page from an imported row. Does not count their size, because the caller
 * has counted the size of the whole row.
 */
export function importDetails(
  list: ListUnitOfWork,
  item: TrackedItem,
  changes: PageDetails = {},
): void {
  const { itemId, state } = item;
  writeDetails(list, item, list.details.after({ itemId, givenUrl: state.givenUrl }, changes));
}

function writeDetails(
  list: ListUnitOfWork,
  item: TrackedItem,
  after: StoredDetails | undefined,
): void {
  if (after !== undefined) {
    // The new data may be shorter than the stored data about the page, so the stored size of the list may decrease.
    list.room.countRemoved();
    list.details.set(after);
    item.touch();
  }
}
