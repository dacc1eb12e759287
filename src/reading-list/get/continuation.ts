import type { PageCursor } from '../entities/page-cursor.entity.js';
import type { PageOfItems } from '../query/items-wanted.js';

/**
 * The place where a requested page of a list starts: the stored end (cursor) of an earlier page of the same list, and
 * the number of rows to skip after this end.
 */
export interface Continuation extends Pick<PageCursor, 'version' | 'position' | 'since' | 'total'> {
  /** The number of rows between the end of the earlier page and the start of the requested page. */
  readonly skipped: number;
  /**
   * The list version when the client read its first page. Undefined if several clients with
   * different versions may have sent the request.
   */
  readonly commonVersion: number | undefined;
  /**
   * The `version` of the cursor that is marked as used when this page is returned. Undefined if no
   * cursor is marked as used.
   */
  readonly usedVersion: number | undefined;
}

/**
 * Returns the start of the page at this offset, from the stored ends of earlier pages (cursors). If several clients
 * read the same list at the same time, the service cannot distinguish their requests. Therefore, the page starts at the
 * earliest position of these clients. A client may get a row twice, but misses no row.
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
   * The cursors at which the client's previous page may have ended. They determine the start of the
   * page and its `total`.
   */
  readonly rows: readonly PageCursor[];
  /**
   * The response contains the smallest `since` of these cursors. They include all cursors in
   * `rows`.
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
 * Returns the cursor to mark as used. Returns undefined if a cursor belongs to several clients,
 * because it is unknown how many of these clients have read the page after it. Such a cursor stays until it expires.
 */
const usedUp = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.some(({ readers }) => readers > 1)
    ? undefined
    : cursors.findLast(({ readers }) => readers > 0);

/**
 * Returns the cursor that was written last. It is used if there is no cursor at the requested
 * offset, for example because the client has skipped a page.
 */
const latest = (cursors: readonly PageCursor[]): PageCursor | undefined =>
  cursors.toSorted(
    (one, other) =>
      Number(other.notedAt) - Number(one.notedAt) || other.pageOffset - one.pageOffset,
  )[0];
