import type { ImportRow } from '../import-row.js';

/** A file whose format is known. */
export interface ReadableFile {
  /** Short and public, as `pocket-zip` or `netscape`. */
  readonly format: string;
  /** What stands in it, row by row, in the same order each time. */
  rows(): AsyncIterable<ImportRow>;
}
