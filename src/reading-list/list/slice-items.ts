import { type Address, normalAddress } from './address.js';
import { candidateIds, type ItemReference } from './item-reference.js';
import { SliceItem } from './slice-item.js';
import type { StoredTombstone } from './stored-slice.js';

/** The items and tombstones of a slice, found by id or by URL. */
export class SliceItems {
  private readonly live: Map<string, SliceItem>;
  private readonly buried = new Set<string>();
  private readonly tombstones: Set<string>;

  constructor(
    items: readonly SliceItem[],
    private readonly storedTombstones: readonly StoredTombstone[],
  ) {
    this.live = new Map(items.map((item) => [item.itemId, item]));
    this.tombstones = new Set(storedTombstones.map(({ itemId }) => itemId));
  }

  all(): Iterable<SliceItem> {
    return this.live.values();
  }

  /** False for an item that was deleted, even if its URL was added again. */
  keeps(itemId: string): boolean {
    return this.live.get(itemId)?.stored !== undefined;
  }

  find(reference: ItemReference): SliceItem | undefined {
    return 'itemId' in reference ? this.live.get(reference.itemId) : this.at(reference.address);
  }

  wasDeleted(reference: ItemReference): boolean {
    return candidateIds(reference).some((id) => this.tombstones.has(id));
  }

  /** When the item was deleted that the database has a tombstone of; undefined where there is none. */
  deletedAt(reference: ItemReference): number | undefined {
    const ids = candidateIds(reference);
    return this.storedTombstones.find(({ itemId }) => ids.includes(itemId))?.stamp;
  }

  /** A fresh item under the first id that no other URL has; undefined when there is none. */
  create(address: Address): SliceItem | undefined {
    const itemId = candidateIds({ address }).find((id) => !this.live.has(id));
    if (itemId === undefined) {
      return undefined;
    }
    const item = SliceItem.fresh(itemId, address.givenUrl);
    this.live.set(itemId, item);
    this.tombstones.delete(itemId);
    return item;
  }

  /** Leaves a tombstone where the item was. */
  delete({ itemId }: SliceItem): void {
    this.live.delete(itemId);
    this.tombstones.add(itemId);
    this.buried.add(itemId);
  }

  /** The tombstones that were not there before. */
  newTombstones(): readonly string[] {
    return [...this.buried].filter((id) => this.tombstones.has(id));
  }

  /** The tombstones that went. */
  revived(): readonly string[] {
    return this.storedTombstones
      .map(({ itemId }) => itemId)
      .filter((id) => !this.tombstones.has(id));
  }

  /** One hash can belong to two URLs: the texts decide. */
  private at(address: Address): SliceItem | undefined {
    return candidateIds({ address })
      .map((id) => this.live.get(id))
      .find(
        (item) =>
          item !== undefined && normalAddress(item.state.givenUrl)?.normalUrl === address.normalUrl,
      );
  }
}
