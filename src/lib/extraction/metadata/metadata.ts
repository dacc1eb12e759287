import type { HeadFacts } from '../markup/head-reader.js';
import type { PageAuthor, PageSource } from '../page-content.js';
import { authorsOf } from './authors/authors.js';
import type { Clues } from './clues.js';
import { dateOf } from './date.js';
import { linkedData, mainNodes } from './json-ld.js';
import { languageOf } from './language.js';
import { squashed } from './similarity.js';
import { canonicalOf, publishersOf, siteLogoOf, siteNameOf, topImageOf } from './site.js';
import type { Survey } from './survey.js';
import { titleOf } from './title.js';

/** The metadata that a page declares in its head or shows in its body. */
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

/**
 * Returns the metadata of a page. Call this function before the article finder runs, because the article finder removes
 * elements from the document.
 */
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

/** The address of a page, the time at which the page is extracted, and the pages before it. */
type Place = Pick<PageSource, 'url' | 'readAt' | 'before'>;

/** Collects the data in the head and body of a page from which its metadata is derived. */
export function readClues(facts: HeadFacts, { url, readAt, before }: Place, survey: Survey): Clues {
  const { all: graph, own } = linkedData(facts.jsonLd);
  return {
    url: new URL(url),
    before,
    facts,
    graph,
    main: mainNodes(own),
    survey,
    siteName: siteNameOf(facts, graph),
    publishers: new Set(publishersOf(graph).map(squashed)),
    // In a time zone ahead of UTC, the publication day can be one day after the current day in UTC.
    latestDay:
      readAt === undefined ? NEVER : new Date(readAt.getTime() + DAY_MS).toISOString().slice(0, 10),
  };
}
