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

/** A file, or an entry of an archive: it can be read from its beginning any number of times. */
export interface Source {
  /** Within an archive, as a label and never as a path; empty for a file by itself. */
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Another entry of the same archive, by its path relative to the folder of this one. */
  sibling(relativePath: string): Source | undefined;
}

/** Where a row stands: the path within an archive, empty for a file by itself, and its line or its number from 1 on. */
export interface RowPlace {
  readonly path: string;
  readonly line: number;
}

/** A row that holds no saved page, the reason in words for the user, and the beginning of what stands there. */
export interface RefusedRow {
  readonly place: RowPlace;
  readonly reason: string;
  readonly text: string;
}

export interface ReadRow {
  readonly place: RowPlace;
  readonly item: ItemToImport;
  /** The file has the newest items first, which decides between those of one second; else the oldest come first. */
  readonly isFromNewestFirst?: true;
  /** Adds to the items of other rows, such as highlights of pages that another file of the archive lists. */
  readonly addsToOthers?: true;
}

/** What stands at one place of an imported file. */
export type ImportRow = ReadRow | RefusedRow;

/** Where a passage stands, as clients of wallabag tell it: XPaths below the article, and offsets in characters. */
export interface PassageRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A passage that a user has marked, or a note without one; the time is in unix seconds. */
export interface AnnotationToImport {
  readonly annotationId?: string;
  readonly quote: string;
  readonly patch?: string;
  readonly version?: string;
  readonly note?: string;
  readonly ranges?: readonly PassageRange[];
  readonly createdAt?: number;
}

/** What a file says about the page of an item, unchecked. Authors are separated by commas. */
export interface DetailsToImport {
  readonly originUrl?: string;
  readonly publishedAt?: string;
  readonly authors?: string;
  readonly language?: string;
  readonly previewPicture?: string;
}

/** A saved page as a file tells of it: texts as they stand there, times in unix seconds, absent what it does not say. */
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
  /** By which clients know the item that hold ids of 31 bits. */
  readonly number?: number;
  readonly annotations?: readonly AnnotationToImport[];
  /** What the person wrote about the page. */
  readonly note?: string;
  readonly details?: DetailsToImport;
}
