import type { PageOfItems } from './item-filter.js';

/** Where a page ended, for the client that asks for the next one (docs/decisions/0032). */
export interface PageCursor {
  /** The offset at which the client asks for the next page. */
  readonly offset: number;
  /** The stamp that the list had when the first page was read. */
  readonly version: number;
  /** In the bytes of page-position.ts. */
  readonly position: Buffer;
  /** Of the first page. */
  readonly since: number;
  /** The largest that any of the pages has shown. */
  readonly total: number;
  readonly readers: Readers;
}

/**
 * How many clients may ask for the page behind a cursor: one, or several; 0 where it was read, and may be asked for
 * again by a client that the answer has not reached; -1 where it was read and was the last.
 */
export type Readers = -1 | 0 | 1 | 2;

/** A cursor as the database has it. */
export interface NotedCursor extends PageCursor {
  /** Unix seconds of the database. */
  readonly noted_at: number;
}

/** What a page continues. */
export interface Continuation extends Omit<PageCursor, 'offset' | 'readers'> {
  /** How many rows to pass over behind the position. */
  readonly skipped: number;
  /** Every client that this may be has read its first page of the list with this stamp; undefined when they differ. */
  readonly commonVersion: number | undefined;
  /** Of the cursor that this page uses up. */
  readonly usedVersion: number | undefined;
}

/**
 * What the page at this offset continues, of the cursors at it and before it. Clients that ask the same question at
 * the same time cannot be told apart: the page begins where the first of them needs it, so that a row may come twice,
 * and none is left out. The cursor that is used up is the furthest one, so that each of those who are left finds one
 * that is no further than its own.
 */
export function continuationOf(
  cursors: readonly NotedCursor[],
  { offset }: Pick<PageOfItems, 'offset'>,
): Continuation | undefined {
  const needed = cursors.filter(({ readers }) => readers >= 0);
  const here = needed.filter((one) => one.offset === offset).toSorted(inReadingOrder);
  const [first] = here;
  if (first !== undefined) {
    const usedVersion = usedUp(here)?.version;
    return { ...continued(first, { offset, rows: here, changes: here }), usedVersion };
  }
  const last = latest(cursors);
  const changes = [...(last === undefined ? [] : [last]), ...needed];
  return last && continued(last, { offset, rows: [last], changes });
}

interface Candidates {
  readonly offset: number;
  /** The cursors of which one is the client's, as far as rows are concerned. */
  readonly rows: readonly NotedCursor[];
  /** The same as far as the next delta is concerned: behind the last page, nothing tells clients apart. */
  readonly changes: readonly NotedCursor[];
}

const continued = (
  { version, position, offset: from }: NotedCursor,
  { offset, rows, changes }: Candidates,
): Continuation => ({
  ...{ version, position, skipped: offset - from },
  since: Math.min(...changes.map(({ since }) => since)),
  total: Math.max(...rows.map(({ total }) => total)),
  commonVersion: rows.every((one) => one.version === version) ? version : undefined,
  usedVersion: undefined,
});

const inReadingOrder = (one: PageCursor, other: PageCursor): number =>
  Buffer.compare(one.position, other.position);

/** A cursor of several clients stands until it expires: nobody knows how many of them are left. */
const usedUp = (cursors: readonly NotedCursor[]): NotedCursor | undefined =>
  cursors.some(({ readers }) => readers > 1)
    ? undefined
    : cursors.findLast(({ readers }) => readers > 0);

/** The one written last: of a client that asks again for a page it has had, or that leaves pages out. */
const latest = (cursors: readonly NotedCursor[]): NotedCursor | undefined =>
  cursors.toSorted((one, other) => other.noted_at - one.noted_at || other.offset - one.offset)[0];
