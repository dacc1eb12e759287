import type { HeadFacts } from '../markup/head-reader.js';
import type { PageAuthor, PageSource } from '../page-content.js';
import { authorsOf } from './authors.js';
import type { Clues } from './clues.js';
import { dateOf } from './date.js';
import { linkedData, mainNodes } from './json-ld.js';
import { languageOf } from './language.js';
import { squashed } from './similarity.js';
import { canonicalOf, publishersOf, siteLogoOf, siteNameOf, topImageOf } from './site.js';
import type { Survey } from './survey.js';
import { titleOf } from './title.js';

/** What a page says of itself, whatever its text is. */
export interface Metadata {
  readonly title: string;
  readonly authors: readonly PageAuthor[];
  readonly datePublished: Date | null;
  readonly publishedDay: string;
  readonly lang: string;
  readonly topImage: string;
  readonly canonicalUrl: string;
  readonly site: { readonly name: string; readonly logo: string };
}

/** Read while the document is whole: the article finder takes it apart. */
export function metadataOf(clues: Clues): Metadata {
  const date = dateOf(clues);
  return {
    title: titleOf(clues),
    authors: authorsOf(clues),
    datePublished: date?.at ?? null,
    publishedDay: date?.day ?? '',
    lang: languageOf(clues),
    topImage: topImageOf(clues),
    canonicalUrl: canonicalOf(clues),
    site: { name: clues.siteName, logo: siteLogoOf(clues) },
  };
}

const NEVER = '9999-12-31';
const DAY_MS = 86_400_000;

/** Where a page is read, and when. */
type Place = Pick<PageSource, 'url' | 'readAt'>;

/** All that the fields are read from, of what the head says and the body shows. */
export function readClues(facts: HeadFacts, { url, readAt }: Place, survey: Survey): Clues {
  const { all: graph, own } = linkedData(facts.jsonLd);
  return {
    url: new URL(url),
    facts,
    graph,
    main: mainNodes(own),
    survey,
    siteName: siteNameOf(facts, graph),
    publishers: new Set(publishersOf(graph).map(squashed)),
    // It may be tomorrow already where the author is.
    latestDay:
      readAt === undefined ? NEVER : new Date(readAt.getTime() + DAY_MS).toISOString().slice(0, 10),
  };
}
