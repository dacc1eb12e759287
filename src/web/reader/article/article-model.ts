import type { OpenedItem } from '../../../articles/articles.service.js';
import type { Passage } from '../../../articles/reading/passages.js';
import { beforeInPatch } from '../../../articles/reading/passages.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import type { ReadingPosition } from '../../../reading-list/entities/reading-position.entity.js';
import { minutesToRead } from '../../../reading-list/get/item.presenter.js';
import {
  mediaOf,
  resolvedTitleOf,
  resolvedUrlOf,
} from '../../../reading-list/get/page.presenter.js';
import { hostOf, hrefOf } from '../../../reading-list/list/address.js';
import type { Moment, Views } from '../../views.js';
import type { HighlightCard } from './article-views.js';

type Model = Views['reader/article'];

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const dayOf = (date: Date): Moment => ({ iso: date.toISOString(), text: DAY.format(date) });

const MOST_AUTHORS = 10;
const PERCENT = 100;

export const passageOf = ({ annotationId, quote, patch }: Annotation): Passage => ({
  id: annotationId,
  quote,
  before: beforeInPatch(patch),
});

/** Returns the properties of an item that the article page shows. */
export function shownItemOf({ item, page }: OpenedItem): Model['item'] {
  const published = page?.page.facts.datePublished ?? null;
  const minutes = minutesToRead(item.word_count);
  return {
    id: item.item_id,
    title: resolvedTitleOf(item),
    originalHref: hrefOf(item.given_url),
    site: siteOf(item),
    authors: mediaOf(item)
      .authors.slice(0, MOST_AUTHORS)
      .map(({ name }) => name)
      .join(', '),
    published: published === null ? undefined : dayOf(new Date(published)),
    minutes: minutes === 0 ? '' : `${minutes} min`,
    tags: item.tags,
    isFavorite: item.favorite === 1,
    isArchived: item.status === 1,
  };
}

export const siteOf = (item: ItemRow): string =>
  (hostOf(resolvedUrlOf(item)) ?? '').replace(/^www\./, '');

/** Returns the language of the article. Returns undefined for a language tag that browsers do not accept. */
export const langOf = ({ lang }: ItemRow): string | undefined =>
  /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang) ? lang : undefined;

export function progressOf(
  position: ReadingPosition | undefined,
  resumeAt: number | undefined,
): Model['progress'] {
  return (
    position && {
      fraction: position.fraction,
      percent: Math.round(position.fraction * PERCENT),
      paragraph: resumeAt,
    }
  );
}

const FAILURES: Readonly<Record<string, string>> = {
  name: 'There is no site with this name.',
  connection: 'The site could not be reached.',
  timeout: 'The site took too long to answer.',
  tls: 'The site has no valid certificate.',
  protocol: 'The site did not answer as web servers do.',
  encoding: 'The site sent a page that cannot be decoded.',
  redirects: 'The address redirects too often.',
  rest: 'The site has asked this service to wait.',
  crash: 'The page was too large or too complex for this service.',
  'not-public': 'The address is in a private network.',
  own: 'The address belongs to this service itself.',
};

const UNKNOWN_FAILURE = 'The page could not be read.';

const STATUSES: readonly (readonly [statuses: RegExp, text: string])[] = [
  [/\b(?:404|410)\b/, 'The site says that there is no such page.'],
  [/\b40[123]\b/, 'The site does not show this page without a login, or not to this service.'],
  [/\b[45]\d\d\b/, 'The site answered with an error.'],
];

/**
 * Returns a message for users about a failed fetch. A failure is a name, which may have the prefix `refused: ` or
 * contain an HTTP status.
 */
function failureText(failure: string): string {
  const status = STATUSES.find(([statuses]) => statuses.test(failure));
  const [name = ''] = failure.replace('refused: ', '').split(':');
  return status?.[1] ?? FAILURES[name] ?? UNKNOWN_FAILURE;
}

/** Returns the message that the page shows if an item has no text. */
export function missingOf(
  { page, isWaiting }: OpenedItem,
  failure: string | undefined,
): Model['missing'] {
  if (page === undefined) {
    const waiting = 'This page is waiting to be read. It appears here as soon as that is done.';
    const first = isWaiting ? waiting : UNKNOWN_FAILURE;
    return { text: failure === undefined ? first : failureText(failure), canTryAgain: true };
  }
  if (page.html !== undefined) {
    return undefined;
  }
  const text = documentText(page.page.facts.mimeType);
  return { text, canTryAgain: text === NO_ARTICLE };
}

const NO_ARTICLE = 'No text was found on this page.';

function documentText(mimeType: string): string {
  if (mimeType === 'application/pdf') {
    return 'This is a PDF document: open the original to read it.';
  }
  if (/^(?:video|audio)\//.test(mimeType)) {
    return 'This is a video or a recording: open the original to play it.';
  }
  return mimeType.startsWith('image/') ? 'This is a picture.' : NO_ARTICLE;
}

export function highlightCard(annotation: Annotation, href: string | undefined): HighlightCard {
  const made = new Date(Number(annotation.createdAt) * 1000);
  return {
    id: annotation.annotationId,
    quote: annotation.quote,
    note: annotation.note,
    made: dayOf(made),
    href,
  };
}

/**
 * Returns the highlights in the order of their position in the article. Highlights that the article no longer contains
 * come last.
 */
export function highlightsOf(
  annotations: readonly Annotation[],
  shown: ShownArticle | undefined,
): HighlightCard[] {
  const found = shown?.found ?? [];
  const placeOf = ({ annotationId }: Annotation): number =>
    found.includes(annotationId) ? found.indexOf(annotationId) : found.length;
  return annotations
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((annotation) => {
      const id = annotation.annotationId;
      return highlightCard(annotation, found.includes(id) ? `#highlight-${id}` : undefined);
    });
}
