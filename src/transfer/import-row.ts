import type { ItemToImport } from './item-to-import.js';

/** Where a row stands: the path within an archive, empty for a file by itself, and its line or its number from 1 on. */
export interface RowPlace {
  readonly path: string;
  readonly line: number;
}

/** A row that holds no saved page, the reason in words for the person, and the beginning of what stands there. */
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
}

/** What stands at one place of an imported file. */
export type ImportRow = ReadRow | RefusedRow;
