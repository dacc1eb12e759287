import type { HeadFacts } from '../markup/head-reader.js';
import type { LdNode } from './json-ld.js';
import type { Survey } from './survey.js';

/** All that the fields of the metadata are read from. */
export interface Clues {
  readonly url: URL;
  readonly facts: HeadFacts;
  /** The page's JSON-LD: all of it, and what is about the page itself. */
  readonly graph: readonly LdNode[];
  readonly main: readonly LdNode[];
  readonly survey: Survey;
  readonly siteName: string;
  /** Who publishes the page by its JSON-LD, as `squashed` writes names. */
  readonly publishers: ReadonlySet<string>;
  /** YYYY-MM-DD; a page says of itself that it is of a later day when it means something else. */
  readonly latestDay: string;
}

/** A place where a field may be found. */
export type Source<T, C extends Clues = Clues> = (clues: C) => T | undefined;

/** What the first source knows that knows something. */
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
