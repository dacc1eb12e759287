import { t } from './text.js';

/** The selection of items, and the bar with the actions for the selected items. */

/** @returns {HTMLInputElement[]} */
const boxes = () =>
  [...document.querySelectorAll('.items .pick input')].filter(
    (box) => box instanceof HTMLInputElement,
  );

/** Returns the box that selects all items of the view, on every page. */
function everything() {
  const box = document.querySelector('.everything input');
  return box instanceof HTMLInputElement ? box : undefined;
}

/** Returns the box that selects all items of this page. */
function wholePage() {
  const box = document.querySelector('.above .pick input');
  return box instanceof HTMLInputElement ? box : undefined;
}

/**
 * Shows the selection after the user has checked or unchecked a box. Selecting an item shows the bar.
 * @param {HTMLInputElement} box
 */
export function changeSelection(box) {
  const all = everything();
  if (box === all || box === wholePage()) {
    select(box.checked);
  }
  if (all !== undefined && box !== all && !box.checked) {
    all.checked = false;
  }
  showSelection();
}

/** Shows the bar and the number of selected items. Hides the bar if no items are selected. */
export function showSelection() {
  setUp();
  const all = boxes();
  const selected = all.filter(({ checked }) => checked).length;
  showCount(selected);
  const page = wholePage();
  if (page !== undefined) {
    page.checked = selected > 0 && selected === all.length;
    page.indeterminate = selected > 0 && selected < all.length;
  }
}

document.addEventListener('list-shown', clear);

/** @param {boolean} isSelected */
function select(isSelected) {
  for (const box of boxes()) {
    box.checked = isSelected;
  }
}

function clear() {
  const all = everything();
  if (all !== undefined) {
    all.checked = false;
  }
  select(false);
  showSelection();
}

/** Prepares the bar of a page. Without scripts, the bar is a list of actions that is always there. */
function setUp() {
  const bar = document.querySelector('.many');
  if (!(bar instanceof HTMLDetailsElement) || bar.classList.contains('dock')) {
    return;
  }
  bar.classList.add('dock');
  bar.open = true;
  const count = document.createElement('p');
  count.className = 'count';
  count.setAttribute('role', 'status');
  bar.querySelector('.bulk')?.prepend(count);
  bar.querySelector('.bulk')?.append(clearButton());
}

function clearButton() {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'clear';
  button.textContent = t('scripts.clearSelection');
  button.addEventListener('click', () => {
    clear();
    wholePage()?.focus();
  });
  return button;
}

/** @param {number} selected */
function showCount(selected) {
  const bar = document.querySelector('.many.dock');
  const count = bar?.querySelector('.count');
  if (bar instanceof HTMLElement && count) {
    bar.hidden = selected === 0;
    const isAll = everything()?.checked === true;
    count.textContent = isAll
      ? t('scripts.allSelected')
      : t('scripts.selected', { count: selected });
  }
}
