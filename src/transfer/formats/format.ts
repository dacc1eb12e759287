import type { ImportRow } from '../import-row.js';
import type { Head } from './head.js';
import type { Source } from './source.js';

/** One way to write down saved pages. */
export interface Format {
  /** Short, public, and the same for ever. */
  readonly name: string;
  /** Whether a file that begins so is in this format. */
  matches(head: Head): boolean;
  /** Every row in the order of the file, the same each time. */
  rows(source: Source): AsyncIterable<ImportRow>;
}
