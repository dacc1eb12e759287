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

/** A page of any list, and the one that it continues. */
export interface OpenedPlace {
  readonly question: Question;
  readonly page: Pick<PageOfItems, 'offset' | 'count'>;
  readonly continuation: Continuation | undefined;
}

/** A page that is asked for, and the one that it continues. */
export interface OpenedPage extends OpenedPlace {
  readonly wanted: ItemsWanted;
}

/** What is noted of a page that was read. */
interface PlaceEnd extends Pick<ItemsFound, 'size' | 'version' | 'since' | 'total'> {
  /** Where it has ended, in bytes that compare as the rows come; a page without rows has no end that could be noted. */
  readonly position: Buffer | undefined;
}

type PageEnd = Pick<ItemsFound, 'end' | 'size' | 'version' | 'since' | 'total'>;

const MOST_AT_ONCE = 100;
const SWEEP_EVERY_MS = 5 * 60 * 1000;
const TRIM_EVERY = 50;
const REMEMBERED = 10_000;
/** A page that many ask for again and again is noted this often. */
const RENEW_AFTER_MS = 20_000;
const HASH_BYTES = 16;

/** Remembers for ten minutes where the pages of lists ended, for all instances (docs/decisions/0032). */
@Injectable()
export class PageCursors {
  private readonly logger = new Logger(PageCursors.name);
  private readonly loader: DataLoader<NewCursor, Readers>;
  /** Cursors that stand for several clients, until they are to be renewed. */
  private readonly shared = new LRUCache<string, true>({ max: REMEMBERED, ttl: RENEW_AFTER_MS });
  private noted = 0;

  constructor(private readonly cursors: PageCursorRepository) {
    this.loader = new DataLoader((cursors) => this.noteAll(cursors), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /** Looks up what the page continues. */
  async open(principal: Principal, wanted: ItemsWanted): Promise<OpenedPage> {
    const { filter, order, timeOrder, isRanked, page } = wanted;
    const asked = [filter, order, timeOrder, isRanked];
    return { wanted, ...(await this.openAt(questionOf(principal, asked), page)) };
  }

  /** The same of any list that is asked for in this way. */
  async openAt(question: Question, { offset, count }: OpenedPlace['page']): Promise<OpenedPlace> {
    const cursors = offset === 0 ? [] : await this.cursors.findUpTo(question, offset);
    const continuation = continuationOf(cursors, { offset });
    return { question, page: { offset, count }, continuation };
  }

  /** Notes where the page has ended. The page is answered even when that fails. */
  async note(page: OpenedPage, { end, ...read }: PageEnd): Promise<void> {
    const position = end && encodePosition(end, sortKeyOf(page.wanted));
    await this.noteAt(page, { ...read, position });
  }

  /** The same of any list. */
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
    // A first page ends at the same place as long as the list has the same version.
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

  /** Keeps one user from filling the table; the more calls a user makes, the sooner one of them trims. */
  private async trim(cursors: readonly NewCursor[]): Promise<void> {
    const last = cursors.at(-1);
    const isDue = (this.noted % TRIM_EVERY) + cursors.length >= TRIM_EVERY;
    this.noted += cursors.length;
    if (isDue && last !== undefined) {
      await this.cursors.trim(last.userId);
    }
  }
}

/** The list as it is wanted, with the page counted from where the one before it ended. */
export function wantedOf({ wanted, continuation }: OpenedPage): ItemsWanted {
  if (continuation === undefined) {
    return wanted;
  }
  const { position, skipped: offset } = continuation;
  const after = decodePosition(position, sortKeyOf(wanted));
  return { ...wanted, page: { ...wanted.page, offset, after } };
}

/** True when the page is where its offset says, counted in the list at this version. */
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

/** All that a call asks for but the page. */
export const questionOf = (
  { userId, consumerKeyId }: Principal,
  asked: readonly unknown[],
): Question => {
  const text = JSON.stringify([consumerKeyId, ...asked]);
  return { userId, question: hash('sha256', text, 'buffer').subarray(0, HASH_BYTES) };
};

const nameOf = ({ userId, question, pageOffset, version }: CursorKey): string =>
  `${userId} ${question.toString('base64')} ${pageOffset} ${version}`;

/** One cursor for clients that arrive at the same moment. */
const joined = (one: NewCursor, other: NewCursor): NewCursor => ({
  ...one,
  position: Buffer.compare(one.position, other.position) < 0 ? one.position : other.position,
  since: Math.min(one.since, other.since),
  total: Math.max(one.total, other.total),
  readers: 2,
});
