import {
  fieldProblem,
  TooManyError,
  ValidationFailedError,
} from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { choiceReader, readId, Unreadable } from '../../../pocket-api/param-readers.js';
import { withPlainCommas } from '../../../reading-list/list/tag-name.js';
import { LOCAL, localUrl } from '../../local-path.js';
import { MOST_ITEMS } from '../done-notice.js';

const ACTIONS = {
  archive: 'archive',
  readd: 'readd',
  favorite: 'favorite',
  unfavorite: 'unfavorite',
  delete: 'delete',
  undo_archive: 'undo_archive',
  undo_delete: 'undo_delete',
  tags_add: 'tags_add',
  tags_remove: 'tags_remove',
  tags_replace: 'tags_replace',
  /** Opens the page on which the user edits the tags of the item. Changes nothing. */
  edit_tags: 'edit_tags',
} as const;

export type ListAction = keyof typeof ACTIONS;

/** A parsed action form of the reader. */
export interface ActionForm {
  readonly action: ListAction;
  /** The ids of the selected items, without duplicates. */
  readonly itemIds: readonly string[];
  /** True if the action is for all items of the view at the address `back`, instead of the selected items. */
  readonly isOnWholeView: boolean;
  readonly tags: readonly string[];
  readonly back: URL;
}

const readAction = choiceReader<ListAction>(ACTIONS);

/**
 * Parses an action form of the list. A button with the name `one` has an action and an item id as its value, such as
 * `archive:123`. The action of this button changes only this item, not the selected items.
 */
export function actionFormOf(body: unknown): ActionForm {
  const [oneAction = '', oneItem] = textOf(body, 'one').split(':', 2);
  const isOfOne = oneItem !== undefined;
  const action = readAction(isOfOne ? oneAction : textOf(body, 'action'));
  if (action instanceof Unreadable) {
    throw new ValidationFailedError([fieldProblem('action', action.reason)]);
  }
  return {
    action,
    itemIds: isOfOne ? itemIdsOf([oneItem]) : selectedIn(body),
    isOnWholeView: !isOfOne && selectsWholeView(body),
    tags: [...withPlainCommas(textOf(body, 'tags')).split(','), ...textsOf(body, 'tag')],
    back: backOf(body),
  };
}

/**
 * Returns the address of the page to open after the action. Returns the address of the list if the field `back` is
 * missing, or if it contains an address of another site.
 */
export const backOf = (params: unknown): URL => localUrl(textOf(params, 'back')) ?? LIST;

const LIST = new URL('/list', LOCAL);

/** Returns true if the form is for all items of a view of the list, also for those on its other pages. */
export const selectsWholeView = (body: unknown): boolean => textOf(body, 'all') !== '';

/**
 * Returns the ids of the selected items, without duplicates. Empty if nothing is selected.
 * @throws TooManyError if too many items are selected
 */
export const selectedIn = (body: unknown): readonly string[] => itemIdsOf(textsOf(body, 'item'));

function itemIdsOf(texts: readonly string[]): readonly string[] {
  const ids = [...new Set(texts.map((text) => readId(text)))];
  const valid = ids.filter((id) => typeof id === 'string');
  if (valid.length < ids.length) {
    throw new ValidationFailedError([fieldProblem('item', 'must be the ids of items')]);
  }
  if (valid.length > MOST_ITEMS) {
    throw new TooManyError('items', MOST_ITEMS);
  }
  return valid;
}

/** Returns the values of a field that may occur once or several times. */
export function textsOf(body: unknown, name: string): string[] {
  const value: unknown =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? Reflect.get(body, name)
      : [];
  return [value].flat().filter((text) => typeof text === 'string');
}
