import { Injectable } from '@nestjs/common';

import type { Principal } from '../../../auth/consumers/principal.js';
import {
  type OpenedPlace,
  PageCursors,
  questionOf,
} from '../../../reading-list/get/page-cursors.js';
import {
  decodePosition,
  encodePosition,
  type SortKey,
} from '../../../reading-list/query/item-order.js';
import type { EntryRow } from './entry.presenter.js';
import type { EntriesRead } from './entry.repository.js';
import type { EntriesWanted, EntryPosition } from './entry-list.sql.js';

/** The prepared query for one page of a list of entries. */
interface OpenedEntryPage {
  /** The query for the page. If the end of the previous page is stored, the query starts after this end. */
  readonly wanted: EntriesWanted;
  readonly place: OpenedPlace;
  /** The version of the list before the query runs. */
  readonly version: number;
}

export interface EntriesFound {
  readonly rows: readonly EntryRow[];
  /** The number of entries on all pages together. */
  readonly total: number;
  /**
   * True if the number of pages in an earlier response included this page. The page is then
   * returned, even if it is empty now.
   */
  readonly isPromised: boolean;
}

/**
 * Reads a list page by page. The client misses no entry that changes between two page requests
 * (docs/decisions/0074).
 */
@Injectable()
export class EntryPages {
  constructor(private readonly cursors: PageCursors) {}

  /** Prepares the query for a page. Looks up the stored end of the previous page. */
  async open(principal: Principal, wanted: EntriesWanted): Promise<OpenedEntryPage> {
    const { filter, sort, order, limit: count, offset } = wanted;
    const question = questionOf(principal, [
      'entries',
      { ...filter, tagged: undefined },
      sort,
      order,
      count,
    ]);
    const place = await this.cursors.openAt(question, { offset, count });
    const { version } = principal.list;
    const { continuation } = place;
    if (continuation === undefined) {
      return { wanted, place, version };
    }
    const after = positionIn(continuation.position, wanted);
    return { wanted: { ...wanted, offset: continuation.skipped, after }, place, version };
  }

  /** Stores the end of the page if another page follows. Returns the page for the response. */
  async told(
    opened: OpenedEntryPage,
    { rows, hasMore, total }: EntriesRead,
  ): Promise<EntriesFound> {
    const { wanted, place, version } = opened;
    const last = hasMore ? rows.at(-1) : undefined;
    const position = last && bytesOf(last, wanted);
    const size = rows.length;
    await this.cursors.noteAt(place, { position, size, version, since: version, total });
    const { continuation, page } = place;
    if (continuation === undefined) {
      return { rows, total, isPromised: false };
    }
    const end = page.offset + size;
    const isPromised = continuation.skipped === 0;
    return {
      rows:
        wanted.sort === 'updated' ? rows : rows.map((row) => shownBefore(row, continuation.since)),
      total: hasMore ? Math.max(total, end + 1) : isPromised || size > 0 ? end : total,
      isPromised,
    };
  }
}

/**
 * Returns the sort key that is needed to encode a position. The column can be the same for every
 * requested order, because all sort keys of entries are numbers and are encoded in the same way.
 */
const orderOf = ({ order }: EntriesWanted): SortKey => ({
  column: 'added_order',
  direction: order === 'asc' ? 'ASC' : 'DESC',
});

function positionIn(bytes: Buffer, wanted: EntriesWanted): EntryPosition {
  const position = decodePosition(bytes, orderOf(wanted));
  const key = position.kind === 'item' ? position.key : position.version;
  return { key, number: position.itemId };
}

function bytesOf(row: EntryRow, wanted: EntriesWanted): Buffer {
  const position = { kind: 'item', key: keyOf(row, wanted), itemId: String(row.number) } as const;
  return encodePosition(position, orderOf(wanted));
}

/** Returns the value by which the row is sorted in the requested order. */
function keyOf(
  { number, version, status, time_read: time }: EntryRow,
  { sort }: EntriesWanted,
): string {
  switch (sort) {
    case 'created':
      return String(number);
    case 'updated':
      return version;
    case 'archived':
      return status === 1 ? time : '0';
  }
}

/**
 * Limits the version of an entry to the list version at the request for the first page. Later, the
 * client requests the changes since the greatest version that it has received. Without the limit,
 * it would miss changes of entries on pages that it has already received.
 */
const shownBefore = (row: EntryRow, version: number): EntryRow => ({
  ...row,
  version: String(Math.min(Number(row.version), version)),
});
