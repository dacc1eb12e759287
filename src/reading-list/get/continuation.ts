import type { PageCursor } from '../entities/page-cursor.entity.js';
import type { PageOfItems } from '../query/items-wanted.js';

/** What a page continues. */
export interface Continuation extends Pick<PageCursor, 'version' | 'position' | 'since' | 'total'> {
  /** How many rows to pass over behind the position. */
  readonly skipped: number;
  /** The version of the list at the first page of every client that may be asking; undefined if these differ. */
  readonly commonVersion: number | undefined;
  /** Of the cursor that this page uses up. */
  readonly usedVersion: number | undefined;
}

/**
 * Where the page at this offset starts, from the cursors at it and before it. Clients that ask the same at the same time
 * cannot be told apart, so the page starts at the first of their positions: a row may come twice, none is skipped. The
 * cursor with the last position is used up, so each remaining client keeps one that is not past its own.
 */
export function continuationOf(
  cursors: readonly PageCursor[],
  { offset }: Pick<PageOfItems, 'offset'>,
): Continuation | undefined {
  const needed = cursors.filter(({ readers }) => readers >= 0);
  const here = needed.filter((one) => one.pageOffset === offset).toSorted(inReadingOrder);
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
  readonly rows: readonly PageCursor[];
  /** The same as far as the next delta is concerned: behind the last page, nothing tells clients apart. */
  readonly changes: readonly PageCursor[];
}

const continued = (
  { version, position, pageOffset: from }: PageCursor,
  { offset, rows, changes }: Candidates,
): Continuation => ({
  version,
  position,
  skipped: offset - from,
  since: Math.min(...changes.map(({ since }) => since)),
  total: Math.max(...rows.map(({ total }) => total)),
  commonVersion: rows.every((one) => one.version === version) ? version : undefined,
  usedVersion: undefined,
});

const inReadingOrder = (one: PageCursor, other: PageCursor): number =>
  Buffer.compare(one.position, other.position);

/** A cursor of several clients stands until it expires: how many of them are left is not known. */
const usedUp = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.some(({ readers }) => readers > 1)
    ? undefined
    : cursors.findLast(({ readers }) => readers > 0);

/** The one written last: of a client that asks again for a page it has had, or that leaves pages out. */
const latest = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.toSorted(
    (one, other) =>
      Number(other.notedAt) - Number(one.notedAt) || other.pageOffset - one.pageOffset,
  )[0];
