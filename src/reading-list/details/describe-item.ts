import type { ActionOutcome } from '../list/action-outcome.js';
import type { ItemReference } from '../list/list-state.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import type { TrackedItem } from '../list/tracked-items.js';
import { detailsBytes } from '../storage/stored-size.js';
import type { DetailChanges, StoredDetails } from './tracked-details.js';

/** Changes the page details of an item, which clients have sent. */
export const describeItem = (
  list: ListUnitOfWork,
  reference: ItemReference,
  changes: DetailChanges,
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
 * Applies the page details of an imported file to an item. The size of the details is counted with the row of the file.
 */
export function importDetails(
  list: ListUnitOfWork,
  item: TrackedItem,
  changes: DetailChanges = {},
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
    // The new details replace the details from the page, which may have been longer.
    list.room.countRemoved();
    list.details.set(after);
    item.touch();
  }
}
