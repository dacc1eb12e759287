import { textOf } from '../../platform/common/request-fields.js';

/** How many items one form may name. */
export const MOST_ITEMS = 100;

/** What was just done, and the action that undoes it. */
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

/** What each action has done, and the action that undoes it. */
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

/** What was done to the article of a page, which needs no ids to say so. */
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

/** Reads from the address of a page what was done before it is shown; undefined where it names no action. */
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

/** Gives the address of a page with what was done, instead of what it said before. */
export function withDone(page: URL, action: string, itemIds: readonly string[]): URL {
  const url = new URL(page);
  url.searchParams.set('done', action);
  url.searchParams.set('items', itemIds.join(','));
  return url;
}
