import type { HighlightColor } from '../util/highlight-color.js';
import type { NotImportedFields } from './not-imported.js';
import type { Recognition, Syntax } from './recognition.js';

/** A file format in which a service exports saved pages. */
export interface Format {
  /** The name of the format in the API. It is short and never changes. */
  readonly name: string;
  readonly syntax: Syntax;
  /**
   * The patterns by which a file in this format is recognised. One matching pattern is enough. If a file matches
   * several formats, the format whose pattern contains the most columns, JSON paths or other marks is used.
   */
  readonly recognitions: readonly Recognition[];
  /**
   * Yields the rows of a file in this format, in file order. A second call yields the same rows again. `notImported`
   * counts the fields of the file that are not imported.
   */
  rows(source: Source, notImported?: NotImportedFields): AsyncIterable<ImportRow>;
}

/** A file to import, which may be an entry of an archive. Its content can be read several times. */
export interface Source {
  /** The path of the file within its archive. It is only shown to the user. Empty if the file is not in an archive. */
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  /** Returns another file of the same archive. `relativePath` is relative to the folder of this file. */
  sibling(relativePath: string): Source | undefined;
}

/**
 * The position of a row in an import. `path` is the path of the file within its archive, and empty without an archive.
 * `line` is the line of the row. In formats without lines, `line` is the number of the row, counted from 1.
 */
export interface RowPlace {
  readonly path: string;
  readonly line: number;
}

/** A row of a file that cannot be imported. `reason` is a text for the user, and `text` is the beginning of the row. */
export interface RefusedRow {
  readonly place: RowPlace;
  readonly reason: string;
  readonly text: string;
}

export interface ReadRow {
  readonly place: RowPlace;
  readonly item: ItemToImport;
  /**
   * True if the newest items are at the beginning of the file. If several items were added in the same second, their
   * positions in the file then decide which item is newer. By default, the oldest items are at the beginning.
   */
  readonly isFromNewestFirst?: true;
  /**
   * True if the row only adds data, such as highlights, to a page. Another row or file contains the saved page itself.
   */
  readonly addsToOthers?: true;
}

/** A saved list of an export of Satchel. The values are not validated yet. */
export interface ListToImport {
  readonly name: string;
  /** The parameters of the view by name. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly isPinned: boolean;
  readonly feed: 'excerpts' | 'articles' | null;
  readonly isShelf: boolean;
  /** The actions of the rule of the list. Undefined if the list has no rule. */
  readonly ruleActions?: RuleActionsToImport | undefined;
}

/** The actions of a rule. The values are not validated yet. */
export interface RuleActionsToImport {
  readonly tags?: readonly string[];
  readonly archive?: true;
  readonly favorite?: true;
  readonly eReader?: true;
}

/** A row with a saved list. `text` is the name of the list. */
export interface ListRow {
  readonly place: RowPlace;
  readonly list: ListToImport;
  readonly text: string;
}

/** A row of an imported file. The row contains a saved page or a saved list, or was refused. */
export type ImportRow = ReadRow | ListRow | RefusedRow;

/**
 * The range of a highlight: XPaths relative to the article, and character offsets. Clients of wallabag send ranges in
 * this form.
 */
export interface PassageRange {
  readonly start: string;
  readonly startOffset: number;
  readonly end: string;
  readonly endOffset: number;
}

/** A highlight to import, or a note without a highlight. All times are in unix seconds. */
export interface AnnotationToImport {
  readonly annotationId?: string;
  readonly quote: string;
  readonly patch?: string;
  readonly version?: string;
  readonly note?: string;
  readonly ranges?: readonly PassageRange[];
  readonly createdAt?: number;
  readonly color?: HighlightColor;
}

/**
 * The details of a page, such as its author, as written in the imported file. The details are not validated yet. Commas
 * separate the names of several authors.
 */
export interface DetailsToImport {
  readonly originUrl?: string;
  readonly publishedAt?: string;
  readonly authors?: string;
  readonly language?: string;
  readonly previewPicture?: string;
}

/** The folders, lists or collections that contain a page. */
export interface FoldersToImport {
  /** The path of each folder, such as `Research/Plants`. */
  readonly paths: readonly string[];
  /** The tags of the page without the names of its folders. */
  readonly otherTags: readonly string[];
}

/**
 * A saved page as the imported file describes it. All times are in unix seconds. A field is undefined if the file does
 * not contain it.
 */
export interface ItemToImport {
  readonly url: string;
  readonly title?: string;
  readonly prefersGivenTitle?: boolean;
  /** The tags of the page, and the names of its folders. */
  readonly tags?: readonly string[];
  /** The folders of the page. Undefined if the page is in no folder. */
  readonly folders?: FoldersToImport;
  /** The status of the item: 0 if it is unread, 1 if it is archived. */
  readonly status?: 0 | 1;
  readonly favorite?: 0 | 1;
  readonly timeAdded?: number;
  readonly timeUpdated?: number;
  readonly timeRead?: number;
  readonly timeFavorited?: number;
  /** The number of the item (a 31-bit id for clients that need short ids, such as wallabag apps). */
  readonly number?: number;
  readonly annotations?: readonly AnnotationToImport[];
  /** The note of the user about the page. */
  readonly note?: string;
  readonly details?: DetailsToImport;
}
