import type { PageCursor } from '../entities/page-cursor.entity.js';
import type { PageOfItems } from '../query/items-wanted.js';

/** The earlier page after which a requested page begins. */
export interface Continuation extends Pick<PageCursor, 'version' | 'position' | 'since' | 'total'> {
  /** The number of rows to skip after the position. */
  readonly skipped: number;
  /**
   * The list version at the first page, if it is the same for all clients that may have sent this request. Otherwise
   * undefined.
   */
  readonly commonVersion: number | undefined;
  /** The version of the cursor that this page uses up. Undefined if the page uses up no cursor. */
  readonly usedVersion: number | undefined;
}

/**
 * Returns the start of the page at this offset, from the cursors at this offset and at smaller offsets.
 *
 * Clients that ask the same question at the same time look alike. The page therefore starts at the earliest of their
 * positions: a row may be repeated, but no row is skipped. The page uses up the cursor with the last position. Each
 * remaining client then has a cursor that is not past its own position.
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
  /** The cursors that may belong to the client. These cursors decide the rows and the total. */
  readonly rows: readonly PageCursor[];
  /**
   * The cursors that decide `since`, the start of the next delta. They include all of `rows`. If no cursor is at the
   * offset, they also include the other open cursors, because clients look alike after their last page.
   */
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

/**
 * Returns the cursor that the page uses up. A cursor of several clients remains until it expires, because the number of
 * remaining clients is unknown.
 */
const usedUp = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.some(({ readers }) => readers > 1)
    ? undefined
    : cursors.findLast(({ readers }) => readers > 0);

/** Returns the cursor that was written last. The cursor belongs to a client that repeats a request or skips pages. */
const latest = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.toSorted(
    (one, other) =>
      Number(other.notedAt) - Number(one.notedAt) || other.pageOffset - one.pageOffset,
  )[0];
