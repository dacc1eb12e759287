import { createHash } from 'node:crypto';

import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';

import type { Principal } from '../consumers/principal.js';
import { Database } from '../database/database.js';
import type { ItemsWanted } from './list/item-filter.js';
import { sortKeyOf } from './list/item-order.js';
import type { ItemsFound } from './list/items-found.js';
import { type Continuation, continuationOf, type Readers } from './list/page-cursor.js';
import { type CursorOf, PageCursorStore, type Question } from './list/page-cursor.store.js';
import { decodePosition, encodePosition } from './list/page-position.js';

/** A page that is asked for, and the one that it continues. */
export interface OpenedPage {
  readonly question: Question;
  readonly wanted: ItemsWanted;
  readonly continuation: Continuation | undefined;
}

/** What is noted of a page that was read. */
export type PageEnd = Pick<ItemsFound, 'end' | 'size' | 'stamp' | 'since' | 'total'>;

const MOST_AT_ONCE = 100;
const SWEEP_EVERY_MS = 5 * 60 * 1000;
const TRIM_EVERY = 50;
const REMEMBERED = 10_000;
/** A page that many ask for again and again is noted this often. */
const RENEW_AFTER_MS = 20_000;
const HASH_BYTES = 16;

/** Remembers for ten minutes where the pages of lists ended, for all instances (docs/decisions/0032). */
@Injectable()
export class PageCursors implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PageCursors.name);
  private readonly loader: DataLoader<CursorOf, Readers>;
  /** Cursors that stand for several clients, until they are to be renewed. */
  private readonly shared = new LRUCache<string, true>({ max: REMEMBERED, ttl: RENEW_AFTER_MS });
  private sweeping: NodeJS.Timeout | undefined;
  private noted = 0;

  constructor(private readonly database: Database) {
    this.loader = new DataLoader((cursors) => this.noteAll(cursors), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /** Looks up what the page continues. */
  async open(principal: Principal, wanted: ItemsWanted): Promise<OpenedPage> {
    const question = questionOf(principal, wanted);
    const { offset } = wanted.page;
    const cursors =
      offset === 0
        ? []
        : await this.database.read((manager) =>
            new PageCursorStore(manager).find(question, offset),
          );
    return { question, wanted, continuation: continuationOf(cursors, { offset }) };
  }

  /** Notes where the page has ended. A page that cannot be noted is a page all the same. */
  async note(page: OpenedPage, read: PageEnd): Promise<void> {
    try {
      await Promise.all([this.use(page, read), this.noteEnd(page, read)]);
    } catch (error) {
      this.logger.warn(`the end of a page is not noted: ${String(error)}`);
    }
  }

  onModuleInit(): void {
    this.sweeping = setInterval(() => void this.sweep(), SWEEP_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.sweeping);
  }

  private async use({ question, wanted, continuation }: OpenedPage, read: PageEnd): Promise<void> {
    const version = continuation?.usedVersion;
    if (continuation !== undefined && version !== undefined) {
      const { since, total } = continuation;
      const { offset, count } = wanted.page;
      const used = { question, offset, version, since, total, wasLastPage: read.size < count };
      await this.database.read((manager) => new PageCursorStore(manager).use(used));
    }
  }

  private async noteEnd(page: OpenedPage, read: PageEnd): Promise<void> {
    const cursor = cursorBehind(page, read);
    if (cursor === undefined) {
      return;
    }
    // A page that continues none ends at the same place as long as the list has the same stamp.
    const key = page.continuation === undefined ? keyOf(cursor) : '';
    if (!this.shared.has(key) && (await this.loader.load(cursor)) > 1 && key !== '') {
      this.shared.set(key, true);
    }
  }

  private async noteAll(cursors: readonly CursorOf[]): Promise<Readers[]> {
    const waiting = new Map<string, CursorOf>();
    for (const cursor of cursors) {
      const key = keyOf(cursor);
      const other = waiting.get(key);
      waiting.set(key, other === undefined ? cursor : joined(cursor, other));
    }
    const rows = await this.database.read((manager) =>
      new PageCursorStore(manager).note([...waiting.values()]),
    );
    await this.trim(cursors);
    const readers = new Map(
      rows.map((row) => {
        const question = { userId: row.user_id, hash: row.question };
        return [keyOf({ ...row, question }), row.readers];
      }),
    );
    return cursors.map((cursor) => readers.get(keyOf(cursor)) ?? 1);
  }

  /** One user cannot fill the table: the more calls they make, the surer one of them gets here. */
  private async trim(cursors: readonly CursorOf[]): Promise<void> {
    const last = cursors.at(-1);
    const isDue = (this.noted % TRIM_EVERY) + cursors.length >= TRIM_EVERY;
    this.noted += cursors.length;
    if (isDue && last !== undefined) {
      await this.database.read((manager) =>
        new PageCursorStore(manager).trim(last.question.userId),
      );
    }
  }

  private async sweep(): Promise<void> {
    try {
      await this.database.read((manager) => new PageCursorStore(manager).sweep());
    } catch (error) {
      this.logger.warn(error);
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

/** True when the page is where its offset says, counted in the list with this stamp. */
export const isAsCounted = ({ continuation }: OpenedPage, stamp: number): boolean =>
  continuation === undefined || continuation.commonVersion === stamp;

/** Undefined behind a page without rows, which says nothing of where it is. */
function cursorBehind(
  { question, wanted, continuation }: OpenedPage,
  read: PageEnd,
): CursorOf | undefined {
  if (read.end === undefined) {
    return undefined;
  }
  const { version, since, total } = continuation ?? { version: read.stamp, ...read };
  return {
    ...{ question, version, since, readers: 1 },
    total: Math.max(total ?? 0, read.total ?? 0),
    offset: wanted.page.offset + read.size,
    position: encodePosition(read.end, sortKeyOf(wanted)),
  };
}

const questionOf = (
  { userId, consumerKeyId }: Principal,
  { filter, order, timeOrder }: ItemsWanted,
): Question => {
  const text = JSON.stringify([consumerKeyId, filter, order, timeOrder]);
  return { userId, hash: createHash('sha256').update(text).digest().subarray(0, HASH_BYTES) };
};

const keyOf = ({
  question: { userId, hash },
  offset,
  version,
}: Pick<CursorOf, 'question' | 'offset' | 'version'>): string =>
  `${userId} ${hash.toString('base64')} ${offset} ${version}`;

/** One cursor for clients that arrive at the same moment. */
const joined = (one: CursorOf, other: CursorOf): CursorOf => ({
  ...one,
  position: Buffer.compare(one.position, other.position) < 0 ? one.position : other.position,
  since: Math.min(one.since, other.since),
  total: Math.max(one.total, other.total),
  readers: 2,
});
