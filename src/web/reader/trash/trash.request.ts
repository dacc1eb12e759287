import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { message } from '../../../platform/i18n/message.js';
import { choiceReader, type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam } from '../../../pocket-api/params.js';
import type { TrashPlace } from '../../../reading-list/deletions/deleted-item.repository.js';
import { LOCAL, localUrl } from '../../local-path.js';
import { InvalidPageRequestError } from '../../pages.errors.js';
import { MOST_ITEMS } from '../done-notice.js';
import { textsOf } from '../list/list-actions.request.js';

const PLACE = /^(\d{1,15}|[1-8]\d{15})-(\d{1,19})$/;

const readPlace: Reader<TrashPlace> = (value) => {
  const [, microseconds = '', itemId = ''] =
    typeof value === 'string' ? (PLACE.exec(value) ?? []) : [];
  return isId(itemId)
    ? { microseconds, itemId }
    : new Unreadable('must be a position in the trash');
};

/** The query parameters of the trash: the position after which, or before which, the page lies. */
export class TrashRequest {
  @CustomParam(readPlace)
  after?: TrashPlace;

  @CustomParam(readPlace)
  before?: TrashPlace;
}

const ACTIONS = {
  restore: 'restore',
  remove: 'remove',
  /** Restores all items in the trash, not only the selected items. */
  'restore-all': 'restore-all',
} as const;
const readAction = choiceReader<keyof typeof ACTIONS>(ACTIONS);

/** A parsed form of the trash. */
interface TrashForm {
  readonly action: keyof typeof ACTIONS;
  /** The ids of the items, without duplicates. Empty if the user has selected no item. */
  readonly itemIds: readonly string[];
  readonly back: URL;
}

/**
 * Parses a form of the trash. A button with the name `one` has an action and an item id as its value, such as
 * `restore:123`. The action of this button concerns only this item, not the selected items.
 * @throws ValidationFailedError if the action or an item id is invalid
 */
export function trashFormOf(body: unknown): TrashForm {
  const [oneAction = '', oneItem] = textOf(body, 'one').split(':', 2);
  const action = readAction(oneItem === undefined ? textOf(body, 'action') : oneAction);
  if (action instanceof Unreadable) {
    throw new ValidationFailedError([fieldProblem('action', action.reason)]);
  }
  const itemIds = [...new Set(oneItem === undefined ? textsOf(body, 'item') : [oneItem])];
  if (itemIds.length > MOST_ITEMS || !itemIds.every(isId)) {
    throw new ValidationFailedError([
      fieldProblem('item', `must be the ids of at most ${MOST_ITEMS} items`),
    ]);
  }
  return { action, itemIds, back: localUrl(textOf(body, 'back')) ?? TRASH };
}

const TRASH = new URL('/list/trash', LOCAL);

const TIME = /^\d{1,15}$|^[1-8]\d{15}$/;

/**
 * Returns the time up to which the trash is emptied, in microseconds since 1970.
 * @throws ValidationFailedError if the form contains no time
 */
export function emptiedUntil(body: unknown): string {
  const until = textOf(body, 'until');
  if (!TIME.test(until)) {
    throw new InvalidPageRequestError(message('errors.formOutdated'));
  }
  return until;
}
