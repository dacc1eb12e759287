import { type ActionOutcome, Refusal, refused } from '../list/action-outcome.js';

/** The stored size of a list, as read after the list was locked. */
export interface KnownStorage {
  /** An upper bound for the stored bytes. Null if the list was never measured. */
  readonly storedBytes: number | null;
  /** True if data was deleted or replaced since the last measurement. */
  readonly mayStoreLess: boolean;
}

/** The change that a batch of actions makes to the stored size of a list. */
export interface StorageMove {
  readonly storedBytes: number;
  /** True if the batch deletes or replaces data of unknown size. */
  readonly mayStoreLess: boolean;
}

/**
 * Thrown if a change was refused for its size, but the exact size of the list is unknown. The caller measures the list
 * and retries the batch of changes.
 */
export class StorageUnmeasuredError extends Error {
  constructor() {
    super('The size of the list has to be measured.');
  }
}

/**
 * Counts the bytes that a batch adds to a list, and refuses changes that would exceed the storage limit
 * (docs/decisions/0099).
 */
export class StorageRoom {
  private moved = 0;
  private mayStoreLess = false;
  private hasRefused = false;

  private constructor(
    private readonly known: KnownStorage,
    private readonly limit: number,
  ) {}

  /** Creates an instance without a limit, which refuses nothing. */
  static unlimited(): StorageRoom {
    return new StorageRoom({ storedBytes: 0, mayStoreLess: false }, 0);
  }

  /** Creates an instance for a list. `limit` is in bytes, and 0 means no limit. */
  static in(known: KnownStorage, limit: number): StorageRoom {
    return new StorageRoom(known, limit);
  }

  get move(): StorageMove {
    return { storedBytes: this.moved, mayStoreLess: this.mayStoreLess };
  }

  /**
   * Returns a refusal if the list has no room for this number of additional bytes. A change that adds no bytes is never
   * refused.
   */
  refusalOf(bytes: number): ActionOutcome | undefined {
    const { storedBytes } = this.known;
    const hasRoom = storedBytes !== null && storedBytes + this.moved + bytes <= this.limit;
    if (this.limit === 0 || bytes <= 0 || hasRoom) {
      return undefined;
    }
    this.hasRefused = true;
    return refused(Refusal.full(this.limit));
  }

  count(bytes: number): void {
    this.moved += bytes;
  }

  /** Records that data was deleted or replaced, which frees at least `atLeast` bytes. */
  countRemoved(atLeast = 0): void {
    this.moved -= atLeast;
    this.mayStoreLess = true;
  }

  /**
   * Checks that no change was refused because of an outdated size of the list.
   * @throws StorageUnmeasuredError if a change was refused and the exact size of the list is unknown
   */
  requireMeasured(): void {
    if (this.hasRefused && (this.known.storedBytes === null || this.known.mayStoreLess)) {
      throw new StorageUnmeasuredError();
    }
  }
}
