import type { PageAuthor } from '../page-content.js';
import { authorsOf } from './authors.js';
import { canonicalOf } from './canonical.js';
import type { Clues } from './clues.js';
import { dateOf } from './date.js';
import { languageOf } from './language.js';
import { siteLogoOf } from './site-logo.js';
import { titleOf } from './title.js';
import { topImageOf } from './top-image.js';

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
