import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import type { ReadingListApi } from './reading-list-api.js';

/** When a client considers the list complete. */
export type End = 'empty page' | 'short page' | 'total';
/** Which page's `since` the client sends next time. */
export type SinceOf = 'first' | 'middle' | 'last';

interface Habits {
  readonly end: End;
  readonly sinceOf: SinceOf;
  readonly count: number;
  readonly members: object;
}

type Copy = Map<string, object>;

/** A client that syncs a copy of a list in pages: first the whole list, then changes. */
export class PagingReader {
  copy: Copy = new Map();
  /** Number of rows in the current or last round. */
  private rows = 0;
  private since: number | undefined;
  private pages: GetResponse[] = [];

  constructor(private readonly habits: Habits) {}

  /** Reads one page at any instance. Returns true if it was the last one. */
  async step(api: ReadingListApi): Promise<boolean> {
    const { count, members } = this.habits;
    const offset = this.pages.length * count;
    const page = await api.found({
      ...members,
      ...{ state: 'all', detailType: 'complete', count, offset, total: 1, since: this.since },
    });
    if (offset === 0) {
      this.rows = 0;
    }
    if (page.complete === 1 && offset === 0) {
      this.copy = new Map();
    }
    this.take(page);
    this.pages.push(page);
    if (!this.isLast(page)) {
      return false;
    }
    this.since = this.pages[this.placeOfSince()]!.since;
    this.pages = [];
    return true;
  }

  /** Finishes the current round, then reads changes until there are none. */
  async rest(api: ReadingListApi): Promise<void> {
    do {
      await this.readOn(api);
    } while (this.rows > 0);
  }

  private async readOn(api: ReadingListApi): Promise<void> {
    while (!(await this.step(api))) {
      // `step` reads the next page.
    }
  }

  private take({ list }: GetResponse): void {
    for (const [id, item] of Object.entries(list)) {
      this.rows += 1;
      if (item.status === '2') {
        this.copy.delete(id);
      } else {
        this.copy.set(id, { ...item, sort_id: 0 });
      }
    }
  }

  private isLast({ list, total }: GetResponse): boolean {
    const rows = Object.keys(list).length;
    const { count, end } = this.habits;
    const tests = {
      'empty page': rows === 0,
      'short page': rows < count,
      total: this.pages.length * count >= Number(total),
    };
    return tests[end];
  }

  private placeOfSince(): number {
    const last = this.pages.length - 1;
    return { first: 0, middle: Math.floor(last / 2), last }[this.habits.sinceOf];
  }
}

/** Returns the whole list in one answer. */
export async function listOf(classic: ReadingListApi): Promise<Copy> {
  const { list } = await classic.found({ state: 'all', detailType: 'complete', count: 5000 });
  const items = Object.entries(list) as [string, ItemResponse][];
  return new Map(items.map(([id, item]) => [id, { ...item, sort_id: 0 }]));
}
