import type { HeadFacts } from '../markup/head-reader.js';
import type { LdNode } from './json-ld.js';
import type { Survey } from './survey.js';

/** The sources of all metadata fields. */
export interface Clues {
  readonly url: URL;
  readonly facts: HeadFacts;
  /** All nodes of the page's JSON-LD; `main` has only those about the page itself. */
  readonly graph: readonly LdNode[];
  readonly main: readonly LdNode[];
  readonly survey: Survey;
  readonly siteName: string;
  /** Publishers of the page in its JSON-LD, in the form that `squashed` returns. */
  readonly publishers: ReadonlySet<string>;
  /** YYYY-MM-DD. A later day on the page is not its publication date. */
  readonly latestDay: string;
}

/** A function that looks for a field in one place. */
export type Source<T, C extends Clues = Clues> = (clues: C) => T | undefined;

/** Returns the first non-empty value of the sources. */
export function firstOf<T, C extends Clues>(
  sources: readonly Source<T, C>[],
  clues: C,
): T | undefined {
  for (const source of sources) {
    const found = source(clues);
    if (found !== undefined && found !== '') {
      return found;
    }
  }
  return undefined;
}
