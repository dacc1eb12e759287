import { t } from './text.js';

/** The state of an item in the list after an action on it. */

/** The action that takes an item out of a view, keyed by the state of the view. */
const LEAVING = /** @type {Record<string, string>} */ ({
  unread: 'archive',
  archive: 'readd',
  favorites: 'unfavorite',
});

/** The action, the label and the icon of a button after each action. */
const NEXT = /** @type {Record<string, { action: string, label: string, icon: string }>} */ ({
  archive: { action: 'readd', label: t('scripts.markUnread'), icon: 'readd' },
  readd: { action: 'archive', label: t('scripts.archive'), icon: 'archive' },
  favorite: { action: 'unfavorite', label: t('scripts.unfavorite'), icon: 'favorite' },
  unfavorite: { action: 'favorite', label: t('scripts.favorite'), icon: 'favorite' },
});

/** The action that leads back to the earlier state. */
export const opposite = (/** @type {string} */ action) => NEXT[action]?.action ?? '';

/**
 * Returns true if the view no longer contains the item after the action, as a reload would show.
 * @param {HTMLElement} item
 * @param {string} action
 */
export function leavesView(item, action) {
  const list = item.closest('.items');
  const state = list instanceof HTMLElement ? (list.dataset['state'] ?? '') : '';
  return action === 'delete' || LEAVING[state] === action;
}

/**
 * Shows the state of an item after an action: its button, and whether it is archived.
 * @param {HTMLElement} item
 * @param {string} action
 */
export function showChanged(item, action) {
  const next = NEXT[action];
  const button = item.querySelector(`button[value^="${action}:"]`);
  if (next === undefined || !(button instanceof HTMLButtonElement)) {
    return;
  }
  button.value = button.value.replace(action, next.action);
  button.title = next.label;
  button.querySelector('.label')?.replaceChildren(next.label);
  button.querySelector('use')?.setAttribute('href', `#i-${next.icon}`);
  if (action === 'archive' || action === 'readd') {
    showArchived(item, action === 'archive');
  }
}

/** @param {HTMLElement} item @param {boolean} isArchived */
function showArchived(item, isArchived) {
  item.querySelector('.facts .archived')?.remove();
  if (isArchived) {
    const fact = document.createElement('span');
    fact.className = 'archived';
    fact.textContent = t('scripts.itemArchived');
    item.querySelector('.facts')?.append(' ', fact);
  }
}
