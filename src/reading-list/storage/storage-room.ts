import { type ActionOutcome, Refusal, refused } from '../list/action-outcome.js';

/** The stored size of a list, read under its lock. */
export interface KnownStorage {
  /** At most so many bytes; null if they were never measured. */
  readonly storedBytes: number | null;
  /** Something was deleted or replaced since they were measured. */
  readonly mayStoreLess: boolean;
}

/** The change of the stored size by a batch. */
export interface StorageMove {
  readonly storedBytes: number;
  /** True if it deletes or replaces something whose size is not known. */
  readonly mayStoreLess: boolean;
}

/** A batch was refused for its size, but the list may have room: it is to be measured first. */
export class StorageUnmeasuredError extends Error {
  constructor() {
    super('The size of the list has to be measured.');
  }
}

/** Counts what a batch adds to a list, and refuses what is beyond the limit (docs/decisions/0099). */
export class StorageRoom {
  private moved = 0;
  private mayStoreLess = false;
  private hasRefused = false;

  private constructor(
    private readonly known: KnownStorage,
    private readonly limit: number,
  ) {}

  /** For a list of which nothing is refused. */
  static unlimited(): StorageRoom {
    return new StorageRoom({ storedBytes: 0, mayStoreLess: false }, 0);
  }

  /** 0 is without limit. */
  static in(known: KnownStorage, limit: number): StorageRoom {
    return new StorageRoom(known, limit);
  }

  get move(): StorageMove {
    return { storedBytes: this.moved, mayStoreLess: this.mayStoreLess };
  }

  /** The refusal of so many more bytes; undefined if there is room. What adds nothing is never refused. */
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

  /** Something is deleted or replaced, which takes at least so many bytes. */
  countRemoved(atLeast = 0): void {
    this.moved -= atLeast;
    this.mayStoreLess = true;
  }

  /** Throws StorageUnmeasuredError if a refusal may be wrong. */
  requireMeasured(): void {
    if (this.hasRefused && (this.known.storedBytes === null || this.known.mayStoreLess)) {
      throw new StorageUnmeasuredError();
    }
  }
}
