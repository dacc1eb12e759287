import type { PageCursor } from '../entities/page-cursor.entity.js';
import type { PageOfItems } from '../query/items-wanted.js';

/** The start of a requested page in a list: the stored end of an earlier page of the same request. */
export interface Continuation extends Pick<PageCursor, 'version' | 'position' | 'since' | 'total'> {
  /** The number of rows between the stored end of the earlier page and the requested page. */
  readonly skipped: number;
  /**
   * The list version of the client's first page. Undefined if several clients with different list versions may have
   * sent this request.
   */
  readonly commonVersion: number | undefined;
  /**
   * The list version of the stored page end (cursor) that this page uses up. Undefined if the page uses up no cursor.
   */
  readonly usedVersion: number | undefined;
}

/**
 * Returns the start of the page at this offset, from the stored ends of earlier pages (cursors). Cannot distinguish
 * clients that send the same request at the same time. Therefore, the page starts at the earliest position of these
 * clients: it may repeat a row, but never skips one.
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
  /**
   * The stored page ends (cursors) that may belong to the client. They determine the start of the page and the total.
   */
  readonly rows: readonly PageCursor[];
  /**
   * The stored page ends (cursors) that determine the `since` of the response, from which the client's next request for
   * changes starts. They include all cursors in `rows`.
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
 * Returns the stored page end (cursor) that this page uses up. If a cursor belongs to several clients, returns
 * undefined and the cursor stays until it expires, because the number of remaining clients is unknown.
 */
const usedUp = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.some(({ readers }) => readers > 1)
    ? undefined
    : cursors.findLast(({ readers }) => readers > 0);

/**
 * Returns the stored page end (cursor) that was written last. It is used if no cursor is at the requested offset,
 * because the client repeats a request or skips pages.
 */
const latest = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.toSorted(
    (one, other) =>
      Number(other.notedAt) - Number(one.notedAt) || other.pageOffset - one.pageOffset,
  )[0];
