import type { Translator } from '../../../platform/i18n/translator.js';
import type { Missing } from './archive-pages.js';
import type { ArchivedPictures } from './archived-pictures.js';

/** The state of one archive while it is written. */
export interface ArchiveParts {
  readonly userId: string;
  readonly translator: Translator;
  readonly pictures: ArchivedPictures;
  /** The ids of the items with snapshots. A search for each item would take minutes in a long list. */
  readonly withSnapshots: ReadonlySet<string>;
  /** The ids of the items with highlights. */
  readonly withHighlights: ReadonlySet<string>;
  /** Counts the things that the archive does not contain. */
  readonly missing: Missing;
  /** Aborts the archive. */
  readonly signal: AbortSignal;
}
