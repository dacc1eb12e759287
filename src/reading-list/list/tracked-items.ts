import { type Address, normalAddress } from './address.js';
import {
  addedOrder,
  candidateIds,
  type ItemReference,
  type ItemState,
  type Origin,
  type StoredItem,
  type StoredTombstone,
} from './list-state.js';

const FRESH: Omit<ItemState, 'givenUrl'> = {
  status: 0,
  favorite: 0,
  timeAdded: 0,
  addedSequence: 0,
  timeRead: 0,
  timeFavorited: 0,
  givenTitle: '',
  prefersGivenTitle: false,
  note: '',
  tagIds: [],
};

/** One item of a unit of work: what the database has, and what the actions made of it. */
export class TrackedItem {
  /** Of a new item: the number that it had in the list that it comes from. */
  number: number | undefined;

  private current: ItemState;
  private touched = false;
  private page: 'unasked' | 'asked' | 'asked in bulk' = 'unasked';
  private imported: Origin | undefined;

  private constructor(
    readonly itemId: string,
    state: ItemState,
    /** Undefined for an item that was not there, or was deleted by an earlier action. */
    readonly stored?: StoredItem,
  ) {
    this.current = state;
  }

  static loaded(stored: StoredItem, tagIds: readonly string[]): TrackedItem {
    return new TrackedItem(stored.itemId, { ...stored, tagIds }, stored);
  }

  /** An item before the first action on it. */
  static fresh(itemId: string, givenUrl: string): TrackedItem {
    return new TrackedItem(itemId, { ...FRESH, givenUrl });
  }

  get state(): ItemState {
    return this.current;
  }

  /** True once an action changed something, even if a later one took it back. */
  get isTouched(): boolean {
    return this.touched;
  }

  /** True for an item that was added and whose page is still to be read. */
  get needsPage(): boolean {
    return this.page === 'asked' && this.isUnresolved;
  }

  /** The same for one that came with many others. */
  get needsPageInBulk(): boolean {
    return this.page === 'asked in bulk' && this.isUnresolved;
  }

  private get isUnresolved(): boolean {
    return (this.stored?.resolvedUrl ?? '') === '';
  }

  /** What is written with it: changed by an import, or by the user now. */
  writtenAs(now: number): Origin {
    return this.imported ?? { timeUpdated: now, importedAsOf: null };
  }

  /** As it was before the batch, or as an earlier row of it has left it; undefined for what is new. */
  get origin(): Origin | undefined {
    return this.imported ?? this.stored;
  }

  /** True when the texts differ, which sort and search are built from. */
  get hasOtherTexts(): boolean {
    const { stored, current } = this;
    return (
      stored?.givenUrl !== current.givenUrl ||
      stored.givenTitle !== current.givenTitle ||
      stored.prefersGivenTitle !== current.prefersGivenTitle
    );
  }

  /** True when it has another place in the order of the list. */
  get hasMoved(): boolean {
    const { stored, current } = this;
    return stored === undefined || addedOrder(stored) !== addedOrder(current);
  }

  /** The effect of adding it, which also requests its page, unless the client has sent the page. */
  add(changes: Partial<ItemState>, bringsPage: boolean): void {
    this.page = bringsPage ? 'unasked' : 'asked';
    this.change(changes);
  }

  /** An action's effect on this item. */
  change(changes: Partial<ItemState>): void {
    const differs = ([name, value]: [string, unknown]): boolean =>
      Reflect.get(this.current, name) !== value;
    this.touched ||= Object.entries(changes).some(differs);
    this.current = { ...this.current, ...changes };
  }

  /** The effect of a row of an imported file, which is no change that the user makes now. */
  import(changes: Partial<ItemState>, origin: Origin): void {
    this.page = this.stored === undefined ? 'asked in bulk' : this.page;
    this.change(changes);
    this.touched ||= origin.importedAsOf !== this.origin?.importedAsOf;
    this.imported = origin;
  }

  /** Something of the item changed that is not in its row: tags or annotations. */
  touch(): void {
    this.touched = true;
  }

  /** What an action on all items did to this one; the database does the same to those that are not loaded. */
  retag(tagIds: readonly string[]): void {
    this.current = { ...this.current, tagIds };
  }
}

/** The items and tombstones of a unit of work, found by id or by URL. */
export class TrackedItems {
  private readonly live: Map<string, TrackedItem>;
  private readonly buried = new Set<string>();
  private readonly tombstones: Set<string>;

  constructor(
    items: readonly TrackedItem[],
    private readonly storedTombstones: readonly StoredTombstone[],
  ) {
    this.live = new Map(items.map((item) => [item.itemId, item]));
    this.tombstones = new Set(storedTombstones.map(({ itemId }) => itemId));
  }

  all(): Iterable<TrackedItem> {
    return this.live.values();
  }

  /** False for an item that was deleted, even if its URL was added again. */
  keeps(itemId: string): boolean {
    return this.live.get(itemId)?.stored !== undefined;
  }

  find(reference: ItemReference): TrackedItem | undefined {
    return 'itemId' in reference ? this.live.get(reference.itemId) : this.at(reference.address);
  }

  wasDeleted(reference: ItemReference): boolean {
    return candidateIds(reference).some((id) => this.tombstones.has(id));
  }

  /** When the item was deleted; undefined where the database has no tombstone of it. */
  deletedAt(reference: ItemReference): number | undefined {
    const ids = candidateIds(reference);
    return this.storedTombstones.find(({ itemId }) => ids.includes(itemId))?.deletedAt;
  }

  /** A fresh item under the first id that no other URL has; undefined when all are taken. */
  create(address: Address): TrackedItem | undefined {
    const itemId = candidateIds({ address }).find((id) => !this.live.has(id));
    if (itemId === undefined) {
      return undefined;
    }
    const item = TrackedItem.fresh(itemId, address.givenUrl);
    this.live.set(itemId, item);
    this.tombstones.delete(itemId);
    return item;
  }

  /** Leaves a tombstone where the item was. */
  delete({ itemId }: TrackedItem): void {
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
  private at(address: Address): TrackedItem | undefined {
    return candidateIds({ address })
      .map((id) => this.live.get(id))
      .find(
        (item) =>
          item !== undefined && normalAddress(item.state.givenUrl)?.normalUrl === address.normalUrl,
      );
  }
}
