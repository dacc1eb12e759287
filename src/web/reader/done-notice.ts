import { textOf } from '../../platform/common/request-fields.js';

/** The maximum number of items in one form. */
export const MOST_ITEMS = 100;

/** A message about the last action, with the opposite action for the undo button. */
export interface DoneNotice {
  readonly text: string;
  readonly undo: string | undefined;
  readonly itemIds: readonly string[];
}

interface Done {
  readonly one: string;
  readonly many: string;
  readonly undo?: string;
}

/** The message for each action, with the opposite action for the undo button. */
const DONE: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['archive', { one: 'Archived', many: 'archived', undo: 'undo_archive' }],
  ['readd', { one: 'Back in the unread items', many: 'unread again', undo: 'archive' }],
  ['undo_archive', { one: 'Back in the unread items', many: 'unread again' }],
  ['favorite', { one: 'Marked as a favorite', many: 'marked as favorites', undo: 'unfavorite' }],
  ['unfavorite', { one: 'No longer a favorite', many: 'no longer favorites', undo: 'favorite' }],
  ['delete', { one: 'Deleted', many: 'deleted', undo: 'undo_delete' }],
  ['undo_delete', { one: 'Brought back', many: 'brought back' }],
  ['tags_replace', { one: 'The tags are changed', many: 'have new tags' }],
  ['tags_add', { one: 'The tags are added', many: 'have the tags now' }],
  ['tags_remove', { one: 'The tags are removed', many: 'have lost the tags' }],
]);

/** The messages for actions on an article. These messages need no item ids. */
const DONE_TO_ARTICLE: ReadonlyMap<string, string> = new Map([
  ['highlight', 'Highlighted.'],
  ['note', 'The note is saved.'],
  ['unhighlight', 'The highlight is deleted.'],
  ['place', 'Your place is saved.'],
  [
    'e-reader',
    'On its way to your e-reader. The settings of your e-reader tell what became of it.',
  ],
  ['wait', 'This page was tried a moment ago. Try again in a minute.'],
]);

const IDS = /^\d{1,19}(?:,\d{1,19})*$/;

/**
 * Returns the message about the last action, which the query of the page contains. Returns undefined if the action is
 * missing or unknown.
 */
export function doneNoticeOf(query: unknown): DoneNotice | undefined {
  const action = textOf(query, 'done');
  const onArticle = DONE_TO_ARTICLE.get(action);
  if (onArticle !== undefined) {
    return { text: onArticle, undo: undefined, itemIds: [] };
  }
  const done = DONE.get(action);
  const items = textOf(query, 'items');
  const itemIds = IDS.test(items) ? items.split(',', MOST_ITEMS) : [];
  if (done === undefined || itemIds.length === 0) {
    return undefined;
  }
  const { one, many, undo } = done;
  const text = itemIds.length === 1 ? `${one}.` : `${itemIds.length} items ${many}.`;
  return { text, undo, itemIds };
}

/**
 * Adds the last action to the address of a page, and returns the new address. Replaces an earlier action in the
 * address.
 */
export function withDone(page: URL, action: string, itemIds: readonly string[]): URL {
  const url = new URL(page);
  url.searchParams.set('done', action);
  url.searchParams.set('items', itemIds.join(','));
  return url;
}
