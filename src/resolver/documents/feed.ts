/** What a feed or one of its entries says of itself, by the names that its format has for it. */
export type FeedFields = ReadonlyMap<string, string>;

/** A feed of any format. */
export interface Feed {
  readonly fields: FeedFields;
  readonly entries: readonly FeedFields[];
}

export const FEED_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'subtitle',
  'language',
]);

/** Where entries have their text, the longest first: a summary repeats what is in the others. */
export const ENTRY_TEXTS = [
  'content:encoded',
  'content',
  'content_html',
  'content_text',
  'description',
  'summary',
] as const;

export const ENTRY_FIELDS: ReadonlySet<string> = new Set(['title', ...ENTRY_TEXTS]);

/** Of a feed; the others are not looked at. */
export const MAX_ENTRIES = 100_000;
