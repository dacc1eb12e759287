import { columnsOf } from '../../platform/database/entity-columns.js';
import { PageColumns } from '../entities/page-columns.js';

/**
 * The fixed number of bytes that each item adds to the stored size, in addition to its texts
 * (docs/decisions/0099). It covers columns with numbers and index entries. Without it, many items
 * with short texts could fill a disk.
 *
 * storage.sql.ts measures the same sizes in the database.
 */
export const ITEM_BYTES = 1000;
/**
 * The number of bytes that each tag of an item adds to the stored size. It does not depend on the
 * name of the tag, so renaming a tag changes no size.
 */
export const TAG_BYTES = 200;
export const ANNOTATION_BYTES = 500;
export const DETAILS_BYTES = 200;
/**
 * The fixed number of bytes that is counted for the page of an item if a client has sent the page.
 */
export const OWN_PAGE_BYTES = 500;
/** The fixed number of bytes that is counted for a snapshot. The row contains the whole size (`snapshots.bytes`). */
export const SNAPSHOT_BYTES = 500;

const bytesOf = (text: string): number => Buffer.byteLength(text);

interface CountedItem {
  readonly givenUrl: string;
  readonly givenTitle: string;
  readonly note: string;
  readonly tagIds: readonly string[];
}

/** Returns the size of an item in bytes, without the columns that it copies from its page. */
export const itemBytes = ({ givenUrl, givenTitle, note, tagIds }: CountedItem): number =>
  ITEM_BYTES + bytesOf(givenUrl) + bytesOf(givenTitle) + bytesOf(note) + TAG_BYTES * tagIds.length;

/**
 * The columns of a page that are included in the stored size: all texts and JSON, except the
 * language, which is short.
 */
export const COUNTED_PAGE_COLUMNS = columnsOf(PageColumns).filter(
  ({ property, type }) => ['text', 'json'].includes(type) && property !== 'lang',
);

/** Returns the size in bytes of the columns that an item copies from its page. */
export const shownPageBytes = (page: Readonly<Record<keyof PageColumns, unknown>>): number =>
  COUNTED_PAGE_COLUMNS.reduce((sum, { property }) => sum + bytesOfValue(page[property]), 0);

const bytesOfValue = (value: unknown): number =>
  bytesOf(typeof value === 'string' ? value : JSON.stringify(value));

interface CountedAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  readonly note?: string | undefined;
  readonly ranges?: readonly object[] | undefined;
}

export const annotationBytes = (annotation: CountedAnnotation): number =>
  ANNOTATION_BYTES +
  bytesOf(annotation.annotationId) +
  bytesOf(annotation.quote) +
  bytesOf(annotation.patch) +
  bytesOf(annotation.version) +
  bytesOf(annotation.note ?? '') +
  (annotation.ranges === undefined ? 0 : bytesOf(JSON.stringify(annotation.ranges)));

interface CountedDetails {
  readonly originUrl: string | null;
  readonly authors: readonly object[] | null;
  readonly previewPicture: string | null;
}

/** The size in bytes of the JSON text around the authors in the column `media` of an item. */
const AROUND_AUTHORS = bytesOf('{"authors" : , "images" : [], "videos" : []}');

/**
 * Returns the size in bytes of the data that a client sent about a page. The authors and the picture are counted twice,
 * because the row of the item contains copies of them.
 */
export const detailsBytes = (details: CountedDetails | undefined): number =>
  details === undefined
    ? 0
    : DETAILS_BYTES +
      bytesOf(details.originUrl ?? '') +
      2 * bytesOf(details.previewPicture ?? '') +
      (details.authors === null
        ? 0
        : AROUND_AUTHORS + 2 * bytesOf(JSON.stringify(details.authors)));

interface CountedOwnPage {
  readonly url: string;
  readonly record: object;
  readonly article: Buffer | null;
}

/** Returns the stored size in bytes of a parsed page that a client has sent. */
export const ownPageBytes = ({ url, record, article }: CountedOwnPage): number =>
  OWN_PAGE_BYTES + bytesOf(url) + bytesOf(JSON.stringify(record)) + (article?.length ?? 0);
