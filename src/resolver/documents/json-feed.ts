import { ENTRY_FIELDS, type Feed, FEED_FIELDS, type FeedFields, MAX_ENTRIES } from './feed.js';

/** What a JSON feed says; nothing when it is none. */
export function jsonFeed(text: string): Feed {
  try {
    const feed: unknown = JSON.parse(text);
    const items: unknown = isObject(feed) ? Reflect.get(feed, 'items') : undefined;
    const entries: unknown[] = Array.isArray(items) ? items.slice(0, MAX_ENTRIES) : [];
    return {
      fields: textsOf(feed, FEED_FIELDS),
      entries: entries.map((entry) => textsOf(entry, ENTRY_FIELDS)),
    };
  } catch {
    return { fields: new Map(), entries: [] };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function textsOf(value: unknown, names: ReadonlySet<string>): FeedFields {
  const members: [string, unknown][] = isObject(value) ? Object.entries(value) : [];
  return new Map(
    members.flatMap(([name, text]) =>
      names.has(name) && typeof text === 'string' ? [[name, text]] : [],
    ),
  );
}
