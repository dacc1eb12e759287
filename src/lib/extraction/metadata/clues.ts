import type { HeadFacts } from '../markup/head-reader.js';
import type { LdNode } from './json-ld.js';
import type { Survey } from './survey.js';

/** The data of a page from which all metadata fields are derived. */
export interface Clues {
  readonly url: URL;
  readonly facts: HeadFacts;
  /** All nodes of the page's JSON-LD. `main` contains only the nodes about the page itself. */
  readonly graph: readonly LdNode[];
  readonly main: readonly LdNode[];
  readonly survey: Survey;
  readonly siteName: string;
  /** The publishers of the page according to its JSON-LD, normalised by `squashed`. */
  readonly publishers: ReadonlySet<string>;
  /** The latest possible publication day, as YYYY-MM-DD. A later day on the page is not its publication date. */
  readonly latestDay: string;
}

/** A function that searches one place of a page for the value of a field. */
export type Source<T, C extends Clues = Clues> = (clues: C) => T | undefined;

/** Returns the first value that is not empty among the values of the sources. */
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
