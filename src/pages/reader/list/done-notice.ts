import { textOf } from '../../../common/parse-request.js';
import type { DoneNotice } from './list-views.js';

/** How many items one form may name. */
export const MOST_ITEMS = 100;

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
  ['unfavorite', { one: 'No favorite any more', many: 'no favorites any more', undo: 'favorite' }],
  ['delete', { one: 'Deleted', many: 'deleted', undo: 'undo_delete' }],
  ['undo_delete', { one: 'Brought back', many: 'brought back' }],
  ['tags_replace', { one: 'The tags are changed', many: 'have new tags' }],
  ['tags_add', { one: 'The tags are added', many: 'have the tags now' }],
  ['tags_remove', { one: 'The tags are removed', many: 'have lost the tags' }],
]);

const IDS = /^\d{1,19}(?:,\d{1,19})*$/;

/** What the address of a page says that was done; undefined where it says nothing that was. */
export function doneNoticeOf(query: unknown): DoneNotice | undefined {
  const done = DONE.get(textOf(query, 'done'));
  const items = textOf(query, 'items');
  const itemIds = IDS.test(items) ? items.split(',', MOST_ITEMS) : [];
  if (done === undefined || itemIds.length === 0) {
    return undefined;
  }
  const { one, many, undo } = done;
  const text = itemIds.length === 1 ? `${one}.` : `${itemIds.length} items ${many}.`;
  return { text, undo, itemIds };
}

/** The address of a page with what was done, in the place of what it said before. */
export function withDone(page: URL, action: string, itemIds: readonly string[]): URL {
  const url = new URL(page);
  url.searchParams.set('done', action);
  url.searchParams.set('items', itemIds.join(','));
  return url;
}
