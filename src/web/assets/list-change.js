import { act } from './list-actions.js';
import { focusOn, isElement } from './list-items.js';
import { leavesView, opposite, showChanged } from './list-state.js';
import { refresh, settled } from './list-swap.js';
import { notify, notifyOf } from './notices.js';
import { t } from './text.js';

/** The message after each action, and the action that undoes it. */
const DONE = /** @type {const} */ ({
  archive: { text: t('scripts.archived'), undo: 'undo_archive' },
  readd: { text: t('scripts.unread'), undo: 'archive' },
  delete: { text: t('scripts.deleted'), undo: 'undo_delete' },
  favorite: { text: t('scripts.favorited'), undo: 'unfavorite' },
  unfavorite: { text: t('scripts.unfavorited'), undo: 'favorite' },
});
/** @typedef {keyof typeof DONE} Action */

/** @param {string} text @returns {text is Action} */
const isAction = (text) => Object.hasOwn(DONE, text);

/**
 * Runs the action of an item's button.
 * @param {HTMLElement} item
 * @param {HTMLButtonElement} button
 */
export async function change(item, button) {
  const [action = '', id = ''] = button.value.split(':', 2);
  if (!isAction(action)) {
    return;
  }
  try {
    await actOn(action, id);
    if (leavesView(item, action)) {
      takeAway(item, action, id);
    } else {
      showInPlace(item, action, id);
    }
  } catch (error) {
    notifyOf(error);
  }
}

/** @param {Action | 'undo_archive' | 'undo_delete'} action @param {string} id */
async function actOn(action, id) {
  const changed = await act({ action, itemIds: [id] });
  if (changed.length === 0) {
    throw new Error(t('scripts.itemGone'));
  }
}

/**
 * Shows the new state of an item that stays in the view.
 * @param {HTMLElement} item
 * @param {Action} action
 * @param {string} id
 */
function showInPlace(item, action, id) {
  showChanged(item, action);
  const isReversed = action === 'favorite' || action === 'unfavorite';
  // The same button takes back a favorite.
  notify(
    DONE[action].text,
    isReversed ? undefined : () => void undo(action, id, () => showReversed(item, action)),
  );
}

/**
 * Undoes an action, and shows the item again.
 * @param {Action} action
 * @param {string} id
 * @param {() => Promise<void> | void} show
 */
async function undo(action, id, show) {
  try {
    await actOn(DONE[action].undo, id);
    await settled();
    await show();
    notify(t('scripts.undone'), undefined);
  } catch (error) {
    notifyOf(error);
  }
}

/** @param {HTMLElement} item @param {Action} action */
function showReversed(item, action) {
  if (!item.isConnected) {
    return refresh();
  }
  showChanged(item, opposite(action));
  focusOn(item);
}

/**
 * Removes the item from the page, and focuses its neighbour.
 * @param {HTMLElement} item
 * @param {Action} action
 * @param {string} id
 */
function takeAway(item, action, id) {
  const next = item.nextElementSibling;
  const neighbour = isElement(next) ? next : item.previousElementSibling;
  const list = item.parentElement;
  item.remove();
  if (isElement(neighbour)) {
    focusOn(neighbour);
  } else {
    void refresh();
  }
  notify(DONE[action].text, () => {
    void undo(action, id, () => putBack({ item, list, next }));
  });
}

/** @param {{ item: HTMLElement, list: Element | null, next: Element | null }} gone */
function putBack({ item, list, next }) {
  if (list?.isConnected !== true) {
    return refresh();
  }
  list.insertBefore(item, next?.parentElement === list ? next : null);
  focusOn(item);
}
