import { textOf } from '../../platform/common/request-fields.js';
import { type Message, message, type MessageKey } from '../../platform/i18n/message.js';

/** The maximum number of items that a user can select in one form. */
export const MOST_ITEMS = 100;

/** A message about the last action, with the opposite action for the undo button. */
export interface DoneNotice {
  readonly text: Message;
  readonly undo: string | undefined;
  readonly itemIds: readonly string[];
}

interface Done {
  /** The key of the message. The plural form of the message depends on the number of items. */
  readonly key: MessageKey;
  readonly undo?: string;
}

/** The message for each action on items of the list, with the opposite action for the undo button. */
const DONE: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['archive', { key: 'reader.done.archived', undo: 'undo_archive' }],
  ['readd', { key: 'reader.done.unread', undo: 'archive' }],
  ['undo_archive', { key: 'reader.done.unread' }],
  ['favorite', { key: 'reader.done.favorited', undo: 'unfavorite' }],
  ['unfavorite', { key: 'reader.done.unfavorited', undo: 'favorite' }],
  ['delete', { key: 'reader.done.deleted', undo: 'undo_delete' }],
  ['undo_delete', { key: 'reader.done.restored' }],
  ['tags_replace', { key: 'reader.done.tagsReplaced' }],
  ['tags_add', { key: 'reader.done.tagsAdded' }],
  ['tags_remove', { key: 'reader.done.tagsRemoved' }],
]);

/** The messages for actions on an article. These messages need no item ids. */
const DONE_TO_ARTICLE: ReadonlyMap<string, Message> = new Map([
  ['highlight', message('reader.done.highlighted')],
  ['note', message('reader.done.noteSaved')],
  ['unhighlight', message('reader.done.highlightDeleted')],
  ['place', message('reader.done.placeSaved')],
  ['e-reader', message('reader.done.sentToEReader')],
  ['wait', message('reader.done.triedBefore')],
]);

const IDS = /^\d{1,19}(?:,\d{1,19})*$/;

/**
 * Reads the last action from the query of a page, and returns the message about this action. Returns undefined if the
 * action is missing or unknown.
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
  return { text: message(done.key, { count: itemIds.length }), undo: done.undo, itemIds };
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
