import type { HeadFacts } from '../markup/head-reader.js';
import type { PagesBefore } from '../pagination/page-numbers.js';
import type { LdNode } from './json-ld.js';
import type { Survey } from './survey.js';

/** The data of a page from which its metadata is derived. */
export interface Clues {
  readonly url: URL;
  readonly facts: HeadFacts;
  /** The pages before a further page of an article. Undefined for the first page. */
  readonly before?: PagesBefore | undefined;
  /** All objects in the page's JSON-LD. `main` contains only the objects that describe the page itself. */
  readonly graph: readonly LdNode[];
  readonly main: readonly LdNode[];
  readonly survey: Survey;
  readonly siteName: string;
  /** The names of the publishers in the JSON-LD of the page, normalised with `squashed`. */
  readonly publishers: ReadonlySet<string>;
  /** The latest possible publication day, as YYYY-MM-DD. Later dates on the page are ignored. */
  readonly latestDay: string;
}

/** A function that looks for the value of a metadata field in one place of a page. */
export type Source<T, C extends Clues = Clues> = (clues: C) => T | undefined;

/** Calls functions that look for the value of a field, and returns the first value that is not empty. */
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
