import { hash } from 'node:crypto';

import type { EntryResponse } from '../../src/apis/wallabag/entries/entry.presenter.js';
import type { WallabagCalls } from './wallabag-calls.js';
import { strictList } from './wallabag-entry.js';

type Query = Readonly<Record<string, string | number>>;

const AT_ONCE = 50;
const MS = 1000;

const secondsOf = (date: string): number => Date.parse(date.replace('+0000', 'Z')) / MS;

/** Ignores the time of change, because an answer may return an earlier one. */
const copied = (entry: EntryResponse): EntryResponse => ({ ...entry, updated_at: '' });

/**
 * A wallabag client that syncs a copy of the list as the Android app does. It first fetches all entries by time of
 * addition. Later it fetches changes since the latest known one, and sweeps for deleted entries.
 */
export class WallabagReader {
  readonly copy = new Map<number, EntryResponse>();
  private since: number | undefined;

  constructor(
    private readonly calls: WallabagCalls,
    private readonly perPage: number,
  ) {}

  /** Fetches all pages. Calls `between` before each page except the first. */
  async update(between: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    const query: Query =
      this.since === undefined
        ? { sort: 'created', since: 0 }
        : { sort: 'updated', since: this.since };
    let latest = this.since ?? 0;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      await (page > 1 && between());
      const members = { ...query, order: 'asc', perPage: this.perPage, page };
      const { status, body } = await this.calls.call('get', 'entries', members, 'query');
      // The Android app also takes a 404 as the end of the list, when the list has become shorter.
      if (status === 404) {
        break;
      }
      expect(status).toBe(200);
      const list = strictList(body);
      pages = list.pages;
      for (const entry of list.items) {
        this.copy.set(entry.id, copied(entry));
        latest = Math.max(latest, secondsOf(entry.updated_at));
      }
    }
    this.since = latest;
  }

  /** Removes deleted entries if the copy has more entries than the list. */
  async sweep(): Promise<void> {
    const { total } = await this.answer('entries', { perPage: 1, detail: 'metadata' });
    const entries = [...this.copy.values()];
    for (let from = 0; from < entries.length && this.copy.size > Number(total); from += AT_ONCE) {
      await this.sweepSome(entries.slice(from, from + AT_ONCE));
    }
  }

  /** Updates and sweeps until `isOver`, then once more. */
  async follow(isOver: () => boolean, pause: () => Promise<unknown>): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = isOver();
      await this.update();
      await this.sweep();
      await pause();
    }
  }

  private async sweepSome(entries: readonly EntryResponse[]): Promise<void> {
    const hashes = entries.map(({ url }) => hash('sha1', url));
    const query = hashes.map((one) => `hashed_urls[]=${one}`).join('&');
    const exists = await this.answer(`entries/exists?${query}`, {});
    for (const [n, { id }] of entries.entries()) {
      const isGone = exists[hashes[n]!] === false;
      if (isGone && (await this.calls.call('get', `entries/${id}/tags`)).status === 404) {
        this.copy.delete(id);
      }
    }
  }

  private async answer(path: string, query: Query): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await this.calls.call('get', path, query, 'query').expect(200);
    return body as Record<string, unknown>;
  }
}

/** Returns the list as a single page, for comparison. */
export async function everyEntry(calls: WallabagCalls): Promise<EntryResponse[]> {
  const { body } = await calls.call('get', 'entries', { perPage: 300 }, 'query').expect(200);
  const { items, pages } = strictList(body);
  expect(pages).toBe(1);
  return items.map(copied);
}
