import type { Translator } from '../../platform/i18n/translator.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../reading-list/get/page.presenter.js';
import { hrefOf } from '../../reading-list/list/address.js';
import type { FeedChoice } from './feed-choice.js';
import { authorsOf, formatTime, languageOf, lineOf, uuidUrn } from './feed-values.js';

/** A feed before it is written as Atom or JSON Feed. All times are in RFC 3339 format. */
export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly selfUrl: string;
  /** The address of the list in the web UI. */
  readonly homeUrl: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly id: string;
  /** The saved URL, or the address of the article in the web UI if the saved URL cannot be a link. */
  readonly url: string;
  /** The address of the article in the web UI. */
  readonly readerUrl: string;
  readonly title: string;
  /** The excerpt of the page. Empty if the page has no excerpt. */
  readonly excerpt: string;
  /** The article as HTML. Undefined if the feed contains only excerpts, or if the item has no article. */
  readonly content?: string | undefined;
  readonly authors: readonly string[];
  readonly tags: readonly string[];
  readonly lang: string | undefined;
  /** The time at which the item became part of the feed, such as the time of archiving. */
  readonly published: string;
  readonly updated: string;
}

/** The input of `feedOf`. */
interface FeedParts {
  readonly feedId: string;
  readonly choice: FeedChoice;
  readonly rows: readonly ItemRow[];
  /** The articles as HTML, keyed by item id. Undefined if the feed contains only excerpts. */
  readonly contents?: ReadonlyMap<string, string> | undefined;
  readonly selfUrl: string;
  /** The address of the service, to which paths are appended. */
  readonly base: string;
  /**
   * The time at which the feed address was created, in Unix seconds. If the feed has no entries,
   * this time is also the time of its latest change.
   */
  readonly issuedAt: number;
}

/** `translator` writes the title of the feed in the language of the user. */
export function feedOf(parts: FeedParts, translator: Translator): Feed {
  const { feedId, choice, rows, selfUrl, base, issuedAt } = parts;
  const changes = rows.map((row) => secondsOf(row, choice).updated);
  return {
    id: urn(feedId, choice.key),
    title: translator.text('feeds.feedTitle', { title: choice.title }),
    updated: formatTime(changes.length === 0 ? issuedAt : Math.max(...changes)),
    selfUrl,
    homeUrl: `${base}/list`,
    entries: rows.map((row) => entryOf(row, parts)),
  };
}

function entryOf(row: ItemRow, { feedId, choice, base, contents }: FeedParts): FeedEntry {
  const readerUrl = `${base}/read/${row.item_id}`;
  const url = hrefOf(row.given_url) ?? readerUrl;
  const { published, updated } = secondsOf(row, choice);
  return {
    id: urn(feedId, row.item_id),
    url,
    readerUrl,
    title: lineOf(resolvedTitleOf(row)) || url,
    excerpt: lineOf(row.excerpt),
    content: contents?.get(row.item_id),
    authors: authorsOf(row),
    tags: row.tags.map(lineOf),
    lang: languageOf(row),
    published: formatTime(published),
    updated: formatTime(updated),
  };
}

/**
 * Returns the times of an item in a feed. If an imported item has no value for the time by which the feed is sorted,
 * uses `time_added`.
 */
function secondsOf(row: ItemRow, { time }: FeedChoice): { published: number; updated: number } {
  const published = Number(row[time]) || Number(row.time_added);
  return { published, updated: Math.max(published, Number(row.time_updated)) };
}

/**
 * Returns a permanent id for a feed or an entry: a hash of the user's random `feedId` and the name.
 * Because of the random `feedId`, clients cannot guess the name from the hash.
 */
const urn = (feedId: string, name: string): string => uuidUrn(`${feedId}/${name}`);
