import { defined } from '../../lib/util/defined.js';
import type { Feed, FeedEntry } from './feed.js';

export const JSON_FEED_TYPE = 'application/feed+json';

/** A feed in the JSON format of https://www.jsonfeed.org/version/1.1. */
interface JsonFeed {
  readonly version: 'https://jsonfeed.org/version/1.1';
  readonly title: string;
  readonly home_page_url: string;
  readonly feed_url: string;
  readonly items: readonly JsonFeedItem[];
}

interface JsonFeedItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /**
   * The excerpt of the page, or the title if the page has no excerpt. JSON Feed requires content for every item, so this
   * field is missing only beside `content_html`.
   */
  readonly content_text?: string;
  readonly content_html?: string;
  readonly summary?: string;
  readonly date_published: string;
  readonly date_modified: string;
  readonly authors?: readonly { readonly name: string }[];
  readonly tags?: readonly string[];
  readonly language?: string;
  /** A custom field. In JSON Feed, the names of custom fields must begin with an underscore. */
  readonly _satchel: { readonly about: string; readonly reader_url: string };
}

const ABOUT = 'reader_url is the page of the item in the reader of this Satchel';

/** Returns a feed as a document in JSON Feed 1.1. */
export function presentJsonFeed(feed: Feed): string {
  const document: JsonFeed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.selfUrl,
    items: feed.entries.map(presentItem),
  };
  return JSON.stringify(document);
}

const presentItem = (entry: FeedEntry): JsonFeedItem =>
  defined({
    id: entry.id,
    url: entry.url,
    title: entry.title,
    content_text: entry.content === undefined ? entry.excerpt || entry.title : undefined,
    content_html: entry.content?.toWellFormed(),
    summary: entry.excerpt || undefined,
    date_published: entry.published,
    date_modified: entry.updated,
    authors: entry.authors.length === 0 ? undefined : entry.authors.map((name) => ({ name })),
    tags: entry.tags.length === 0 ? undefined : entry.tags,
    language: entry.lang,
    _satchel: { about: ABOUT, reader_url: entry.readerUrl },
  });
