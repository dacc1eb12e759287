import type { OpenedItem } from '../../../articles/articles.service.js';
import type { ShownArticle } from '../../../articles/reading/shown-article.js';
import type { ShownHeading } from '../../../articles/reading/shown-headings.js';
import { message, type MessageKey } from '../../../platform/i18n/message.js';
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
import { goneSinceOf } from '../list/item-card.js';
import type { ArticleModel, HighlightCard, QuoteSource } from './article.view.js';

const MOST_AUTHORS = 10;
const PERCENT = 100;

/** Returns the properties of an item that the article page shows. */
export function shownItemOf({ item, page }: OpenedItem): ArticleModel['item'] {
  const published = page?.page.facts.datePublished ?? null;
  return {
    id: item.item_id,
    title: resolvedTitleOf(item),
    originalHref: hrefOf(item.given_url),
    site: siteOf(item),
    authors: mediaOf(item)
      .authors.slice(0, MOST_AUTHORS)
      .map(({ name }) => name)
      .join(', '),
    published: published === null ? undefined : new Date(published),
    minutes: minutesToRead(item.word_count),
    tags: item.tags,
    isFavorite: item.favorite === 1,
    isArchived: item.status === 1,
    goneSince: goneSinceOf(item),
  };
}

/** Returns the source of quotes from the page of an item. */
export function quoteSourceOf(item: ItemRow): QuoteSource {
  const authors = mediaOf(item).authors.slice(0, MOST_AUTHORS);
  return {
    title: resolvedTitleOf(item),
    by: [...authors.map(({ name }) => name), siteOf(item)].filter((part) => part !== '').join(', '),
    url: hrefOf(item.given_url),
  };
}

export const siteOf = (item: ItemRow): string =>
  (hostOf(resolvedUrlOf(item)) ?? '').replace(/^www\./, '');

const FEWEST_HEADINGS = 3;

/** Returns the headings for the table of contents. Returns no headings for an article with less than three. */
export const contentsOf = (shown: ShownArticle | undefined): readonly ShownHeading[] =>
  shown === undefined || shown.headings.length < FEWEST_HEADINGS ? [] : shown.headings;

/** Returns the language of the article. Returns undefined for a language tag that browsers do not accept. */
export const langOf = ({ lang }: ItemRow): string | undefined =>
  /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang) ? lang : undefined;

export function progressOf(
  position: ReadingPosition | undefined,
  resumeAt: number | undefined,
): ArticleModel['progress'] {
  return (
    position && {
      fraction: position.fraction,
      percent: Math.round(position.fraction * PERCENT),
      paragraph: resumeAt,
    }
  );
}

const FAILURES: Readonly<Record<string, MessageKey>> = {
  name: 'article.failure.name',
  connection: 'article.failure.connection',
  timeout: 'article.failure.timeout',
  tls: 'article.failure.tls',
  protocol: 'article.failure.protocol',
  encoding: 'article.failure.encoding',
  redirects: 'article.failure.redirects',
  rest: 'article.failure.rest',
  crash: 'article.failure.crash',
  'not-public': 'article.failure.notPublic',
  own: 'article.failure.own',
};

const UNKNOWN_FAILURE = 'article.failure.unknown';

const STATUSES: readonly (readonly [statuses: RegExp, text: MessageKey])[] = [
  [/\b(?:404|410)\b/, 'article.failure.noPage'],
  [/\b40[123]\b/, 'article.failure.noAccess'],
  [/\b[45]\d\d\b/, 'article.failure.error'],
];

/**
 * Returns the message for the user about a failed fetch. `failure` is a short name such as `timeout`, which may follow
 * the prefix `refused: `, or a text with an HTTP status.
 */
export function failureText(failure: string): MessageKey {
  const status = STATUSES.find(([statuses]) => statuses.test(failure));
  const [name = ''] = failure.replace('refused: ', '').split(':');
  return status?.[1] ?? FAILURES[name] ?? UNKNOWN_FAILURE;
}

/** Returns the message that the page shows if an item has no text. Returns undefined if the item has a text. */
export function missingOf(
  { page, isWaiting }: OpenedItem,
  failure: string | undefined,
): ArticleModel['missing'] {
  if (page === undefined) {
    const first = isWaiting ? 'article.missing.waiting' : UNKNOWN_FAILURE;
    const text = failure === undefined ? first : failureText(failure);
    return { text: message(text), canTryAgain: true, canSave: !isWaiting || failure !== undefined };
  }
  if (page.html !== undefined) {
    return undefined;
  }
  const { mimeType } = page.page.facts;
  const text = documentText(mimeType);
  const isEmpty = text === NO_ARTICLE;
  return {
    text: message(text),
    canTryAgain: isEmpty,
    canSave: isEmpty && mimeType.includes('html'),
  };
}

const NO_ARTICLE = 'article.missing.noText';

function documentText(mimeType: string): MessageKey {
  if (mimeType === 'application/pdf') {
    return 'article.missing.pdf';
  }
  if (/^(?:video|audio)\//.test(mimeType)) {
    return 'article.missing.recording';
  }
  return mimeType.startsWith('image/') ? 'article.missing.picture' : NO_ARTICLE;
}

export const highlightCard = (
  { annotationId, quote, note, color, createdAt }: Annotation,
  href: string | undefined,
): HighlightCard => ({
  id: annotationId,
  quote,
  note,
  color,
  createdAt: new Date(Number(createdAt) * 1000),
  href,
});

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
