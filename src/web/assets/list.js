import { bindKeys } from './keys.js';
import { act, noticeOf, notify, notifyOf } from './list-actions.js';
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

const form = document.querySelector('#items');
const list = document.querySelector('.items');

/** @returns {HTMLElement[]} */
const items = () => [...document.querySelectorAll('.items > li')].filter(isElement);

/** @param {Element | null | undefined} node @returns {node is HTMLElement} */
function isElement(node) {
  return node instanceof HTMLElement;
}

/** @param {HTMLElement} item */
const focusOn = (item) => {
  const link = item.querySelector('h2 a');
  if (isElement(link)) {
    link.focus();
    item.scrollIntoView({ block: 'nearest' });
  }
};

const current = () => items().find((item) => item.contains(document.activeElement));

/** @param {1 | -1} step */
function move(step) {
  const all = items();
  const here = current();
  const at = here === undefined ? -1 : all.indexOf(here);
  const next = all[Math.max(0, at + step)];
  if (next !== undefined) {
    focusOn(next);
  }
}

/**
 * Returns the button of an item for one of the actions.
 * @param {HTMLElement} item
 * @param {readonly string[]} actions
 */
const buttonOf = (item, actions) =>
  [...item.querySelectorAll('button')].find(({ value }) =>
    actions.some((action) => value.startsWith(`${action}:`)),
  );

/** @param {readonly string[]} actions */
function press(...actions) {
  const item = current();
  if (item !== undefined) {
    buttonOf(item, actions)?.click();
  }
}

/** @param {string} text @returns {text is Action} */
const isAction = (text) => Object.hasOwn(DONE, text);

/**
 * Runs the action of an item's button.
 * @param {HTMLElement} item
 * @param {HTMLButtonElement} button
 */
async function change(item, button) {
  const [action = '', id = ''] = button.value.split(':', 2);
  if (!isAction(action)) {
    return;
  }
  try {
    await actOn(action, id);
    if (action === 'favorite' || action === 'unfavorite') {
      showFavorite(item, button, action);
    } else {
      takeAway(item, action, id);
    }
  } catch (error) {
    notifyOf(error);
  }
}

/** @param {Action} action @param {string} id */
async function actOn(action, id) {
  const changed = await act({ action, itemIds: [id] });
  if (changed.length === 0) {
    throw new Error(t('scripts.itemGone'));
  }
}

/** @param {HTMLElement} item @param {HTMLButtonElement} button @param {'favorite' | 'unfavorite'} action */
function showFavorite(item, button, action) {
  const isFavorite = action === 'favorite';
  button.value = button.value.replace(action, DONE[action].undo);
  button.textContent = t(isFavorite ? 'scripts.unfavorite' : 'scripts.favorite');
  const fact = item.querySelector('.favorite');
  if (isElement(fact)) {
    fact.hidden = !isFavorite;
  }
  notify(DONE[action].text, undefined);
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
  item.remove();
  if (isElement(neighbour)) {
    focusOn(neighbour);
  }
  notify(DONE[action].text, () => {
    void takeBack({ item, next, action, id });
  });
}

/** @param {{ item: HTMLElement, next: Element | null, action: Action, id: string }} gone */
async function takeBack({ item, next, action, id }) {
  try {
    await act({ action: DONE[action].undo, itemIds: [id] });
    list?.insertBefore(item, next?.parentElement === list ? next : null);
    notify(t('scripts.undone'), undefined);
    focusOn(item);
  } catch (error) {
    notifyOf(error);
  }
}

function undo() {
  const button = document.querySelector('.done button');
  if (isElement(button)) {
    button.click();
  }
}

/** Actions with a message in DONE are run by this script. All other buttons send the form. */
form?.addEventListener('submit', (event) => {
  const button = event instanceof SubmitEvent ? event.submitter : null;
  const item = button?.closest('.items > li');
  const isInPlace =
    button instanceof HTMLButtonElement && isAction(button.value.split(':', 1)[0] ?? '');
  if (isInPlace && isElement(item)) {
    event.preventDefault();
    void change(item, button);
  }
});

/** @returns {HTMLInputElement[]} */
const boxes = () =>
  [...document.querySelectorAll('.items > li > input')].filter(
    (box) => box instanceof HTMLInputElement,
  );

function addSelectAll() {
  const label = document.createElement('label');
  label.className = 'check';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.addEventListener('change', () => {
    boxes().forEach((one) => {
      one.checked = box.checked;
    });
  });
  label.append(box, t('scripts.selectAll'));
  document.querySelector('.many')?.append(label);
}

function mark() {
  const box = current()?.querySelector('input');
  if (box !== null && box !== undefined) {
    box.checked = !box.checked;
  }
}

function search() {
  const field = document.querySelector('#search');
  if (isElement(field)) {
    field.focus();
  }
}

/** Removes the last action from the address. Otherwise, a reload would show the notice again. */
function forgetNotice() {
  const url = new URL(location.href);
  url.searchParams.delete('done');
  url.searchParams.delete('items');
  history.replaceState(null, '', url);
}

noticeOf();
forgetNotice();
addSelectAll();
bindKeys({
  j: () => {
    move(1);
  },
  k: () => {
    move(-1);
  },
  o: () => {
    const link = current()?.querySelector('h2 a');
    if (isElement(link)) {
      link.click();
    }
  },
  a: () => {
    press('archive', 'readd');
  },
  f: () => {
    press('favorite', 'unfavorite');
  },
  d: () => {
    press('delete');
  },
  t: () => {
    press('edit_tags');
  },
  x: mark,
  u: undo,
  '/': search,
});
