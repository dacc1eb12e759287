import { hash } from 'node:crypto';

import { Injectable, Logger } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';

import type { Principal } from '../../auth/consumers/principal.js';
import { Every } from '../../platform/jobs/every.js';
import type { Readers } from '../entities/page-cursor.entity.js';
import { decodePosition, encodePosition, sortKeyOf } from '../query/item-order.js';
import type { ItemsFound, ItemsWanted, PageOfItems } from '../query/items-wanted.js';
import { type Continuation, continuationOf } from './continuation.js';
import {
  type CursorKey,
  type NewCursor,
  PageCursorRepository,
  type Question,
} from './page-cursor.repository.js';

/** A requested page of any kind of list, and the stored end of the earlier page after which it starts. */
export interface OpenedPlace {
  readonly question: Question;
  readonly page: Pick<PageOfItems, 'offset' | 'count'>;
  readonly continuation: Continuation | undefined;
}

/** A requested page of items, and the stored end of the earlier page after which it starts. */
export interface OpenedPage extends OpenedPlace {
  readonly wanted: ItemsWanted;
}

/** The properties of a page that its cursor stores, so that the next page can start at the end of the page. */
interface PlaceEnd extends Pick<ItemsFound, 'size' | 'version' | 'since' | 'total'> {
  /**
   * The position of the last row, as bytes that sort in the same order as the rows. Undefined if the page has no rows.
   */
  readonly position: Buffer | undefined;
}

type PageEnd = Pick<ItemsFound, 'end' | 'size' | 'version' | 'since' | 'total'>;

const MOST_AT_ONCE = 100;
const SWEEP_EVERY_MS = 5 * 60 * 1000;
const TRIM_EVERY = 50;
const REMEMBERED = 10_000;
/**
 * The minimum time in milliseconds between two writes of the same cursor, if many clients request the same first page.
 */
const RENEW_AFTER_MS = 20_000;
const HASH_BYTES = 16;

/**
 * Stores the ends of list pages for at least ten minutes, so that each page starts where the previous page ended
 * (docs/decisions/0032). All instances of the service share the cursors.
 */
@Injectable()
export class PageCursors {
  private readonly logger = new Logger(PageCursors.name);
  private readonly loader: DataLoader<NewCursor, Readers>;
  /**
   * The keys of cursors after a first page that several clients have requested. While a key is in
   * this cache, its cursor is not written again.
   */
  private readonly shared = new LRUCache<string, true>({ max: REMEMBERED, ttl: RENEW_AFTER_MS });
  private noted = 0;

  constructor(private readonly cursors: PageCursorRepository) {
    this.loader = new DataLoader((cursors) => this.noteAll(cursors), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /** Finds the stored end of the earlier page after which the requested page starts. */
  async open(principal: Principal, wanted: ItemsWanted): Promise<OpenedPage> {
    const { filter, order, timeOrder, isRanked, page } = wanted;
    const asked = [filter, order, timeOrder, isRanked];
    return { wanted, ...(await this.openAt(questionOf(principal, asked), page)) };
  }

  /** Like `open`, but for pages of any kind of list. */
  async openAt(question: Question, { offset, count }: OpenedPlace['page']): Promise<OpenedPlace> {
    const cursors = offset === 0 ? [] : await this.cursors.findUpTo(question, offset);
    const continuation = continuationOf(cursors, { offset });
    return { question, page: { offset, count }, continuation };
  }

  /**
   * Stores the end of the page. If the write fails, logs the error instead of throwing it, so that the page is still
   * returned.
   */
  async note(page: OpenedPage, { end, ...read }: PageEnd): Promise<void> {
    const position = end && encodePosition(end, sortKeyOf(page.wanted));
    await this.noteAt(page, { ...read, position });
  }

  /** Like `note`, but for pages of any kind of list. */
  async noteAt(place: OpenedPlace, read: PlaceEnd): Promise<void> {
    try {
      await Promise.all([this.use(place, read), this.noteEnd(place, read)]);
    } catch (error) {
      this.logger.warn(`the end of a page is not noted: ${String(error)}`);
    }
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.cursors.sweep();
  }

  private async use({ question, page, continuation }: OpenedPlace, read: PlaceEnd): Promise<void> {
    const version = continuation?.usedVersion;
    if (continuation !== undefined && version !== undefined) {
      const { since, total } = continuation;
      const { offset: pageOffset, count } = page;
      const wasLastPage = read.size < count;
      await this.cursors.use({ ...question, pageOffset, version, since, total, wasLastPage });
    }
  }

  private async noteEnd(place: OpenedPlace, { position, ...read }: PlaceEnd): Promise<void> {
    if (position === undefined) {
      return;
    }
    const key = keyBehind(place, read);
    // The end of the first page changes only with the list version, so it is not written each time.
    const name = place.continuation === undefined ? nameOf(key) : undefined;
    if (name !== undefined && this.shared.has(name)) {
      return;
    }
    const readers = await this.loader.load({ ...key, position, ...cursorBehind(place, read) });
    if (name !== undefined && readers > 1) {
      this.shared.set(name, true);
    }
  }

  private async noteAll(cursors: readonly NewCursor[]): Promise<Readers[]> {
    const waiting = new Map<string, NewCursor>();
    for (const cursor of cursors) {
      const name = nameOf(cursor);
      const other = waiting.get(name);
      waiting.set(name, other === undefined ? cursor : joined(cursor, other));
    }
    const noted = await this.cursors.note([...waiting.values()]);
    await this.trim(cursors);
    const readers = new Map(noted.map((row) => [nameOf(row), row.readers]));
    return cursors.map((cursor) => readers.get(nameOf(cursor)) ?? 1);
  }

  /**
   * Limits the number of cursors per user. After every 50 stored cursors, deletes the oldest
   * cursors of the user who stored the last one. A user with many cursors is checked more often.
   */
  private async trim(cursors: readonly NewCursor[]): Promise<void> {
    const last = cursors.at(-1);
    const isDue = (this.noted % TRIM_EVERY) + cursors.length >= TRIM_EVERY;
    this.noted += cursors.length;
    if (isDue && last !== undefined) {
      await this.cursors.trim(last.userId);
    }
  }
}

/** Returns the request with the position after which the requested page starts: the stored end of the earlier page. */
export function wantedOf({ wanted, continuation }: OpenedPage): ItemsWanted {
  if (continuation === undefined) {
    return wanted;
  }
  const { position, skipped: offset } = continuation;
  const after = decodePosition(position, sortKeyOf(wanted));
  return { ...wanted, page: { ...wanted.page, offset, after } };
}

/**
 * Returns true if the page contains exactly the rows at its offset in this version of the list. Returns false if the
 * list has changed since the first page, because the rows may now have other offsets.
 */
export const isAsCounted = ({ continuation }: OpenedPage, version: number): boolean =>
  continuation === undefined || continuation.commonVersion === version;

const keyBehind = (
  { question, page, continuation }: OpenedPlace,
  { size, version }: Pick<PlaceEnd, 'size' | 'version'>,
): CursorKey => ({
  ...question,
  pageOffset: page.offset + size,
  version: continuation?.version ?? version,
});

const cursorBehind = (
  { continuation }: OpenedPlace,
  { since, total = 0 }: Pick<PlaceEnd, 'since' | 'total'>,
): Omit<NewCursor, keyof CursorKey | 'position'> => ({
  since: continuation?.since ?? since,
  total: Math.max(continuation?.total ?? 0, total),
  readers: 1,
});

/**
 * Returns the user and the hash that identify a list request. The hash is computed from the
 * consumer key and from `asked`, such as the filter and the sort order.
 */
export const questionOf = (
  { userId, consumerKeyId }: Principal,
  asked: readonly unknown[],
): Question => {
  const text = JSON.stringify([consumerKeyId, ...asked]);
  return { userId, question: hash('sha256', text, 'buffer').subarray(0, HASH_BYTES) };
};

const nameOf = ({ userId, question, pageOffset, version }: CursorKey): string =>
  `${userId} ${question.toString('base64')} ${pageOffset} ${version}`;

/** Merges two cursors with the same key, which two clients store at the same time. */
const joined = (one: NewCursor, other: NewCursor): NewCursor => ({
  ...one,
  position: Buffer.compare(one.position, other.position) < 0 ? one.position : other.position,
  since: Math.min(one.since, other.since),
  total: Math.max(one.total, other.total),
  readers: 2,
});
