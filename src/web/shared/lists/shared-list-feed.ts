import type { AtomEntry, AtomFeed } from '../../../apis/feeds/atom.presenter.js';
import { formatTime, languageOf, lineOf, uuidUrn } from '../../../apis/feeds/feed-values.js';
import { english } from '../../../platform/i18n/translator.js';
import type { SharedItem, SharedPage } from './shared-lists.js';

/**
 * Returns the feed of a public list with the items of its first page. The time of an entry is the time at which the
 * user added the item, because the time of the latest change would reveal when the user reads or edits items.
 */
export function listFeedOf({ list, model, items }: SharedPage, base: string): AtomFeed {
  const seconds = items.map(({ row }) => Number(row.time_added));
  return {
    id: uuidUrn(`public list ${list.address}`),
    title: english.text('publicLists.feedTitle', { title: model.title, name: model.by }),
    updated: formatTime(Math.max(0, ...seconds)),
    selfUrl: `${base}${model.feedHref}`,
    homeUrl: `${base}/shared/lists/${list.address}`,
    entries: items.map((item) => entryOf(item, list.address)),
  };
}

/** The id of an entry is computed from the address that visitors see. The id of the item would reveal credentials. */
function entryOf(
  { row, shown: { originalHref, title, note } }: SharedItem,
  address: string,
): AtomEntry {
  const added = formatTime(Number(row.time_added));
  return {
    id: uuidUrn(`public list ${address} ${originalHref}`),
    url: originalHref,
    title: lineOf(title),
    excerpt: note,
    authors: [],
    tags: [],
    lang: languageOf(row),
    published: added,
    updated: added,
  };
}
