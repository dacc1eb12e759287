/** When an item was added: the second that is shown, and what decides between items of the same second. */
export interface AddedAt {
  /** In unix seconds. */
  readonly timeAdded: number;
  readonly addedSequence: number;
}

/** The two in one, as the migration has them: half of the numbers of a second are below it (docs/decisions/0035). */
const PLACES_IN_SECOND = 2n ** 30n;

/** Beyond half a billion additions the sequence begins again: only items of that one second are misplaced. */
const SEQUENCE_END = 2 ** 29;

/** The value of `items.added_order`: what `newest` and `oldest` go by. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Numbers the additions to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** How many there are more. */
  get count(): number {
    return this.made;
  }

  /** One more, newer than all before it at that second. */
  at(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: this.next() };
  }

  /** One more, older than all before it at that second: a row of a file that has the newest first. */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
