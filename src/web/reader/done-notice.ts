import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { type Answer, json, redirect } from '../../platform/http/answer.js';
import { type Message, message, type MessageKey } from '../../platform/i18n/message.js';
import { wantsJson } from '../page-error.filter.js';

/**
 * The maximum number of items in one form, such as the form that undoes an action. The addresses of pages contain the
 * ids of at most as many items, because proxies reject addresses of more than 8 KB.
 */
export const MOST_ITEMS = 300;

/** A message about the last action, with the opposite action for the undo button. */
export interface DoneNotice {
  readonly text: Message;
  readonly undo: string | undefined;
  readonly itemIds: readonly string[];
  /** True if the action has changed only a part of the items that it was meant for. */
  readonly hasMore?: boolean;
}

interface Done {
  /** The key of the message. The plural form of the message depends on the number of items. */
  readonly key: MessageKey;
  readonly undo?: string;
  /** The message if too many items have changed for an undo button. */
  readonly keyWithoutUndo?: MessageKey;
}

/** The message for each action on items of the list, with the opposite action for the undo button. */
const DONE: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['archive', { key: 'reader.done.archived', undo: 'undo_archive' }],
  ['readd', { key: 'reader.done.unread', undo: 'archive' }],
  ['undo_archive', { key: 'reader.done.unread' }],
  ['favorite', { key: 'reader.done.favorited', undo: 'unfavorite' }],
  ['unfavorite', { key: 'reader.done.unfavorited', undo: 'favorite' }],
  [
    'delete',
    {
      key: 'reader.done.deleted',
      undo: 'undo_delete',
      keyWithoutUndo: 'reader.done.movedToTrash',
    },
  ],
  ['undo_delete', { key: 'reader.done.restored' }],
  ['trash-remove', { key: 'trash.done.removed' }],
  ['merged', { key: 'duplicates.done.merged', undo: 'undo_delete' }],
  ['merged-some', { key: 'duplicates.done.mergedSome', undo: 'undo_delete' }],
  ['tags_replace', { key: 'reader.done.tagsReplaced' }],
  ['tags_add', { key: 'reader.done.tagsAdded' }],
  ['tags_remove', { key: 'reader.done.tagsRemoved' }],
  ['rule-applied', { key: 'listRules.done.applied' }],
]);

/** The messages that need no item ids, for example about an action on an article. */
const DONE_WITHOUT_ITEMS: ReadonlyMap<string, Message> = new Map([
  ['tag-colored', message('tags.color.done')],
  ['nothing', message('reader.done.nothingSelected')],
  ['unchanged', message('reader.done.unchanged')],
  ['highlight', message('reader.done.highlighted')],
  ['note', message('reader.done.noteSaved')],
  ['note-deleted', message('reader.done.noteDeleted')],
  ['highlight-saved', message('reader.done.highlightSaved')],
  ['unhighlight', message('reader.done.highlightDeleted')],
  ['shared', message('reader.done.shared')],
  ['link-ended', message('share.ended')],
  ['unshared', message('reader.done.unshared')],
  ['place', message('reader.done.placeSaved')],
  ['e-reader', message('reader.done.sentToEReader')],
  ['wait', message('reader.done.triedBefore')],
  ['no-surprise', message('list.noSurprise')],
  ['retry', message('list.failed.retried')],
  ['retry-all', message('list.failed.allRetried')],
  ['merge-changed', message('duplicates.done.changed')],
  ['merge-highlights', message('duplicates.done.highlights')],
  ['merge-note', message('duplicates.done.note')],
  ['merge-tags', message('errors.tooManyTags')],
  ['trash-gone', message('trash.done.gone')],
  ['trash-unselected', message('trash.done.unselected')],
  ['trash-emptied', message('trash.done.emptied')],
  ['snapshot-deleted', message('snapshots.deleted')],
  ['tag-renamed', message('tags.done.renamed')],
  ['tag-deleted', message('tags.done.deleted')],
  ['list-saved', message('savedLists.done.saved')],
  ['list-public', message('publicLists.done.on')],
  ['list-private', message('publicLists.done.off')],
  ['rule-saved', message('listRules.done.saved')],
  ['digest-on', message('listDigest.done.on')],
  ['digest-off', message('listDigest.done.off')],
  ['digest-confirm', message('account.done.eReaderConfirm')],
  ['list-restored', message('savedLists.done.restored')],
  ['edited', message('reader.done.edited')],
  ['address-changed', message('reader.done.addressChanged')],
  ['fetched', message('reader.done.fetched')],
  ['queued', message('reader.done.queued')],
  ['sent', message('reader.done.sentPage')],
]);

const IDS = /^\d{1,19}(?:,\d{1,19})*$/;
const COUNT = /^[1-9]\d{0,6}$/;

/**
 * Reads the last action from the query of a page, and returns the message about this action. Returns undefined if the
 * action is missing or unknown.
 */
export function doneNoticeOf(query: unknown): DoneNotice | undefined {
  const action = textOf(query, 'done');
  const text = DONE_WITHOUT_ITEMS.get(action);
  if (text !== undefined) {
    return { text, undo: undefined, itemIds: [] };
  }
  const done = DONE.get(action);
  return done && doneToItems(done, query);
}

function doneToItems(done: Done, query: unknown): DoneNotice | undefined {
  const items = textOf(query, 'items');
  const itemIds = IDS.test(items) ? items.split(',', MOST_ITEMS) : [];
  const counted = textOf(query, 'count');
  const count = COUNT.test(counted) ? Number(counted) : itemIds.length;
  if (count === 0) {
    return undefined;
  }
  const { key, undo, keyWithoutUndo = key } = done;
  const canUndo = count === itemIds.length;
  return {
    text: message(canUndo ? key : keyWithoutUndo, { count }),
    undo: canUndo ? undo : undefined,
    itemIds,
    hasMore: textOf(query, 'more') !== '',
  };
}

/** The query parameters of a page that describe the last action. */
export const DONE_PARAMETERS = ['done', 'items', 'count', 'more'];

/**
 * Adds the last action to the address of a page, and returns the new address. Replaces an earlier action in the
 * address. If the action has changed more items than a form may contain, the address contains only their number.
 */
export function withDone(page: URL, action: string, itemIds: readonly string[]): URL {
  const url = withNotice(page, action);
  if (itemIds.length > MOST_ITEMS) {
    url.searchParams.set('count', String(itemIds.length));
  } else {
    url.searchParams.set('items', itemIds.join(','));
  }
  return url;
}

/** Adds the name of a message that needs no item ids to the address of a page, and returns the new address. */
export function withNotice(page: URL, name: string): URL {
  const url = new URL(page);
  for (const parameter of DONE_PARAMETERS) {
    url.searchParams.delete(parameter);
  }
  url.searchParams.set('done', name);
  return url;
}

/**
 * Returns the response to a form that was accepted: a redirect to a page. Scripts get JSON instead, because their page
 * stays open.
 */
export const doneAnswer = (request: Request, path: string): Answer =>
  wantsJson(request) ? json({ done: true }) : redirect(path);
