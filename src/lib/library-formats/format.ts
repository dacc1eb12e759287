import type { Recognition, Syntax } from './recognition.js';
import type { UnreadFields } from './unread-fields.js';

/** A format in which services export saved pages. */
export interface Format {
  /** The name of the format. It is short and public, and never changes. */
  readonly name: string;
  readonly syntax: Syntax;
  /**
   * The patterns that identify the format. A file is in this format if at least one pattern matches. If several formats
   * match, the best match wins.
   */
  readonly recognitions: readonly Recognition[];
  /**
   * Yields all rows of a file in file order. Each call yields the same rows. `unread` counts the fields that the format
   * ignores.
   */
  rows(source: Source, unread?: UnreadFields): AsyncIterable<ImportRow>;
}

/** A file, or an entry of an archive. Its content can be read any number of times. */
export interface Source {
  /** The path of the file within an archive, which is only a label. Empty for a file outside an archive. */
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Returns another entry of the same archive. `relativePath` is relative to the folder of the current entry. */
  sibling(relativePath: string): Source | undefined;
}

/**
 * The position of a row: the path of its file within an archive, and the line of the row, or the number of the row from
 * 1. The path is empty for a file outside an archive.
 */
export interface RowPlace {
  readonly path: string;
  readonly line: number;
}

/**
 * A row from which no page can be imported. The object contains the reason as a text for the user, and the beginning of
 * the row.
 */
export interface RefusedRow {
  readonly place: RowPlace;
  readonly reason: string;
  readonly text: string;
}

export interface ReadRow {
  readonly place: RowPlace;
  readonly item: ItemToImport;
  /**
   * True if the file lists the newest items first. The order matters for items that were added in the same second. By
   * default, the oldest items are first.
   */
  readonly isFromNewestFirst?: true;
  /**
   * True if the row adds data to the items of other rows. For example, the row has the highlights of a page that
   * another file lists.
   */
  readonly addsToOthers?: true;
}

/** A row of an imported file, which either contains a saved page or was refused. */
export type ImportRow = ReadRow | RefusedRow;

/**
 * The range of a highlight, as clients of wallabag send it: XPaths relative to the article, and offsets in characters.
 */
export interface PassageRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A highlight of a user, or a note without a highlight. All times are in unix seconds. */
export interface AnnotationToImport {
  readonly annotationId?: string;
  readonly quote: string;
  readonly patch?: string;
  readonly version?: string;
  readonly note?: string;
  readonly ranges?: readonly PassageRange[];
  readonly createdAt?: number;
}

/** Details of an item's page, as written in the file. They are not validated. Commas separate the authors. */
export interface DetailsToImport {
  readonly originUrl?: string;
  readonly publishedAt?: string;
  readonly authors?: string;
  readonly language?: string;
  readonly previewPicture?: string;
}

/**
 * A saved page as a file describes it. Texts are as written, and times are in unix seconds. A field is undefined if the
 * file does not contain it.
 */
export interface ItemToImport {
  readonly url: string;
  readonly title?: string;
  readonly prefersGivenTitle?: boolean;
  readonly tags?: readonly string[];
  /** The status: 0 for unread, 1 for archived. */
  readonly status?: 0 | 1;
  readonly favorite?: 0 | 1;
  readonly timeAdded?: number;
  readonly timeUpdated?: number;
  readonly timeRead?: number;
  readonly timeFavorited?: number;
  /** The 31-bit id of the item for clients that need numbers. */
  readonly number?: number;
  readonly annotations?: readonly AnnotationToImport[];
  /** The person's note about the page. */
  readonly note?: string;
  readonly details?: DetailsToImport;
}
