import type { Recognition, Syntax } from './recognition.js';
import type { UnreadFields } from './unread-fields.js';

/** A format in which services export saved pages. */
export interface Format {
  /** Short, public and stable. */
  readonly name: string;
  readonly syntax: Syntax;
  /** A file is in this format if one of these matches. The best match of all formats wins. */
  readonly recognitions: readonly Recognition[];
  /** Yields every row in file order, the same on each call. Counts fields that it ignores in `unread`, if given. */
  rows(source: Source, unread?: UnreadFields): AsyncIterable<ImportRow>;
}

/** A file, or an entry of an archive. It can be read from its beginning any number of times. */
export interface Source {
  /** The path within an archive, which is only a label. Empty for a file outside an archive. */
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Returns another entry of the same archive, by its path relative to the folder of this entry. */
  sibling(relativePath: string): Source | undefined;
}

/** The position of a row: the path within an archive, empty for another file, and its line or its number from 1. */
export interface RowPlace {
  readonly path: string;
  readonly line: number;
}

/** A row without a saved page, with the reason in words for the user and the beginning of its text. */
export interface RefusedRow {
  readonly place: RowPlace;
  readonly reason: string;
  readonly text: string;
}

export interface ReadRow {
  readonly place: RowPlace;
  readonly item: ItemToImport;
  /**
   * The file lists the newest items first. This decides the order within one second. By default, the oldest come first.
   */
  readonly isFromNewestFirst?: true;
  /** Adds to the items of other rows. For example, a row has the highlights of a page that another file lists. */
  readonly addsToOthers?: true;
}

/** A row of an imported file. */
export type ImportRow = ReadRow | RefusedRow;

/** The range of a highlight, as clients of wallabag send it: XPaths below the article, and offsets in characters. */
export interface PassageRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A highlight of a user, or a note without a highlight. Times are in unix seconds. */
export interface AnnotationToImport {
  readonly annotationId?: string;
  readonly quote: string;
  readonly patch?: string;
  readonly version?: string;
  readonly note?: string;
  readonly ranges?: readonly PassageRange[];
  readonly createdAt?: number;
}

/** Details of an item's page from the file, unchecked. Authors are separated by commas. */
export interface DetailsToImport {
  readonly originUrl?: string;
  readonly publishedAt?: string;
  readonly authors?: string;
  readonly language?: string;
  readonly previewPicture?: string;
}

/**
 * A saved page as a file describes it: texts as written, and times in unix seconds. A field is absent if the file lacks
 * it.
 */
export interface ItemToImport {
  readonly url: string;
  readonly title?: string;
  readonly prefersGivenTitle?: boolean;
  readonly tags?: readonly string[];
  /** 0 unread, 1 archived. */
  readonly status?: 0 | 1;
  readonly favorite?: 0 | 1;
  readonly timeAdded?: number;
  readonly timeUpdated?: number;
  readonly timeRead?: number;
  readonly timeFavorited?: number;
  /** The 31-bit id by which some clients know the item. */
  readonly number?: number;
  readonly annotations?: readonly AnnotationToImport[];
  /** The person's note about the page. */
  readonly note?: string;
  readonly details?: DetailsToImport;
}
