/** The result of one poll: rows by id (null for a deleted item), and the next `since`. */
export interface Delta {
  readonly since: number;
  readonly changes: ReadonlyMap<string, object | null>;
  /** True if the rows are the whole list, so the client deletes all others. */
  readonly isWhole?: boolean;
}

/** A client that syncs a copy of the list by polling for changes. */
export class SyncingReader {
  readonly copy = new Map<string, object>();
  /** How often each item was sent. */
  readonly deliveries = new Map<string, number>();
  private since: number | undefined;

  constructor(private readonly ask: (since: number | undefined) => Promise<Delta>) {}

  async poll(): Promise<void> {
    const { since, changes, isWhole = false } = await this.ask(this.since);
    if (isWhole) {
      this.copy.clear();
    }
    for (const [id, row] of changes) {
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
      if (row === null) {
        this.copy.delete(id);
      } else {
        this.copy.set(id, row);
      }
    }
    this.since = since;
  }

  /** Polls until `isOver`, then once more. */
  async follow(isOver: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    while (!isOver()) {
      await this.poll();
      await pause();
    }
    await this.poll();
  }
}

/** A seeded random generator, so that failures can be reproduced. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const SHARED = Array.from({ length: 12 }, (_, n) => `https://shared.example/${n}`);
const TAGS = ['red', 'green', 'blue', 'red,green'];

/** Returns a random action on an item or a tag that all writers share. */
export function aSharedAction(roll: (sides: number) => number): object {
  const url = SHARED[roll(SHARED.length)];
  const tags = TAGS[roll(TAGS.length)];
  const actions = [
    { action: 'add', url, tags },
    { action: 'archive', url },
    { action: 'readd', url },
    { action: 'favorite', url },
    { action: 'unfavorite', url },
    { action: 'delete', url },
    { action: 'tags_add', url, tags },
    { action: 'tags_remove', url, tags },
    { action: 'tags_replace', url, tags },
    { action: 'tags_clear', url },
    { action: 'tag_rename', old_tag: 'red', new_tag: 'green' },
    { action: 'tag_delete', tag: 'blue' },
  ];
  return actions[roll(actions.length)]!;
}
