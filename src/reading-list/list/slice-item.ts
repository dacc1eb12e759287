import { addedOrder } from './added-order.js';
import type { ItemState, StoredItem } from './stored-slice.js';

const MEMBERS = [
  'status',
  'favorite',
  'timeAdded',
  'addedSequence',
  'timeRead',
  'timeFavorited',
  'givenUrl',
  'givenTitle',
  'prefersGivenTitle',
  'tagIds',
] as const satisfies readonly (keyof ItemState)[];

/** Where the state of an item comes from; times are unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /** When the state was so that imports gave it, 0 for unknown; null once the person has changed the item here. */
  readonly importedAsOf: number | null;
}

/** One item of a slice: what the database has, and what the actions made of it. */
export class SliceItem {
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

  static loaded(stored: StoredItem, tagIds: readonly string[]): SliceItem {
    return new SliceItem(stored.itemId, { ...stored, tagIds }, stored);
  }

  /** An item that nobody has done anything with yet. */
  static fresh(itemId: string, givenUrl: string): SliceItem {
    return new SliceItem(itemId, {
      status: 0,
      favorite: 0,
      timeAdded: 0,
      addedSequence: 0,
      timeRead: 0,
      timeFavorited: 0,
      givenUrl,
      givenTitle: '',
      prefersGivenTitle: false,
      tagIds: [],
    });
  }

  get state(): ItemState {
    return this.current;
  }

  /** True once an action changed something, even if a later one took it back. */
  get isTouched(): boolean {
    return this.touched;
  }

  /** True for an item that was added and whose page nobody has read yet. */
  get needsPage(): boolean {
    return this.page === 'asked' && this.isUnread;
  }

  /** The same for one that came with many others. */
  get needsPageInBulk(): boolean {
    return this.page === 'asked in bulk' && this.isUnread;
  }

  private get isUnread(): boolean {
    return (this.stored?.resolvedUrl ?? '') === '';
  }

  /** What is written with it: changed by an import, or by the person now. */
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

  /** The effect of adding it, which also asks for its page, unless that is brought along. */
  add(changes: Partial<ItemState>, bringsPage: boolean): void {
    this.page = bringsPage ? 'unasked' : 'asked';
    this.change(changes);
  }

  /** An action's effect on this item. */
  change(changes: Partial<ItemState>): void {
    const next = { ...this.current, ...changes };
    this.touched ||= MEMBERS.some((member) => this.current[member] !== next[member]);
    this.current = next;
  }

  /** The effect of a row of an imported file, which is no change that the person makes now. */
  import(changes: Partial<ItemState>, origin: Origin): void {
    this.page = this.stored === undefined ? 'asked in bulk' : this.page;
    this.change(changes);
    this.touched ||= origin.importedAsOf !== this.origin?.importedAsOf;
    this.imported = origin;
  }

  /** Something changed that stands beside the item. */
  touch(): void {
    this.touched = true;
  }

  /** What an action on all items did to this one; the store does it to those outside too. */
  retag(tagIds: readonly string[]): void {
    this.current = { ...this.current, tagIds };
  }
}
