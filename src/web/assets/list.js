// The script of the list. It loads the functions that change the list when the user begins to use it.
import { bindKeys } from './keys.js';
import { focusOn, isElement } from './list-items.js';
import { t } from './text.js';

/** The actions on one item that need no page load. */
const IN_PLACE = /^(?:archive|readd|delete|favorite|unfavorite):/;

/** @typedef {typeof import('./list-more.js')} More The functions that change the list. */

/** @type {More | undefined} */
let more;

/** Loads the functions that change the list. Returns undefined if they cannot be loaded. */
async function loadMore() {
  more ??= await import('./list-more.js').catch(() => undefined);
  return more;
}

/**
 * Runs `work` with the functions that change the list, at once if they are loaded. Does nothing if they cannot be loaded.
 * @param {(more: More) => void} work
 */
async function withMore(work) {
  const loaded = more ?? (await loadMore());
  if (loaded !== undefined) {
    work(loaded);
  }
}

/** @returns {HTMLElement[]} */
const items = () => [...document.querySelectorAll('.items > li')].filter(isElement);

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

/** @param {Element | null | undefined} control */
function click(control) {
  if (isElement(control)) {
    control.click();
  }
}

/** Forms that the browser sends itself, because the page cannot show the answer. */
const native = new WeakSet();

/**
 * Most actions on one item, bulk actions, undo and the choice of a layout are run without a page load. The browser sends
 * all other forms.
 */
document.addEventListener('submit', (event) => {
  const { target: form } = event;
  const button = event instanceof SubmitEvent ? event.submitter : null;
  if (form instanceof HTMLFormElement && button instanceof HTMLButtonElement) {
    const work = workOf(form, button);
    if (work !== undefined && !native.has(form)) {
      event.preventDefault();
      void run(work, form, button);
    }
  }
});

/**
 * Returns the function that a form runs without a page load. The function returns false if the browser must send the
 * form.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 * @returns {((more: More) => Promise<unknown>) | undefined}
 */
function workOf(form, button) {
  const item = button.closest('.items > li');
  if (isElement(item)) {
    return IN_PLACE.test(button.value) ? ({ change }) => change(item, button) : undefined;
  }
  if (form.classList.contains('layouts')) {
    return ({ chooseLayout }) => chooseLayout(form, button);
  }
  const isOfList = form.id === 'undo' || (form.id === 'items' && button.name === 'action');
  return isOfList ? ({ sendInPlace }) => sendInPlace(form, button) : undefined;
}

/**
 * @param {(more: More) => Promise<unknown>} work
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
async function run(work, form, button) {
  const loaded = await loadMore();
  if (loaded === undefined && !navigator.onLine) {
    showUnreachable();
  } else if (loaded === undefined || (await work(loaded)) === false) {
    native.add(form);
    form.requestSubmit(button);
  }
}

function showUnreachable() {
  const notice = document.createElement('p');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  notice.textContent = t('scripts.unreachable');
  document.querySelector('main')?.prepend(notice);
}

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') {
    void withMore(({ changeSelection }) => {
      changeSelection(target);
    });
  }
});

// The browser selects items again when the user comes back to the page.
addEventListener('pageshow', () => {
  if (document.querySelector('.pick :checked') !== null) {
    void withMore(({ showSelection }) => {
      showSelection();
    });
  }
});

// Load the functions before the user releases the key or the button of the mouse.
addEventListener('keydown', () => void loadMore(), { once: true });
addEventListener(
  'pointerdown',
  (event) => {
    void withMore(({ beginSwipe }) => {
      beginSwipe(event);
    });
  },
  { once: true },
);

// Show the items as they are after the queued changes.
document.addEventListener('changes-sent', () => {
  void withMore(({ refresh }) => {
    void refresh();
  });
});

function search() {
  const field = document.querySelector('#search');
  if (isElement(field)) {
    field.focus();
  }
}

/** Prepares the content of the page, when the page is loaded and when it shows another state of the list. */
function prepare() {
  forgetNotice();
  document.querySelector('.above .pick')?.removeAttribute('hidden');
}

/** Removes the last action from the address. Otherwise, a reload would show the notice again. */
function forgetNotice() {
  const url = new URL(location.href);
  for (const parameter of ['done', 'items', 'count', 'more']) {
    url.searchParams.delete(parameter);
  }
  history.replaceState(null, '', url);
}

/** On a narrow screen, the links to the views scroll sideways. */
function showCurrentView() {
  document
    .querySelector('.tabs [aria-current]')
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

prepare();
showCurrentView();
document.addEventListener('list-shown', prepare);
bindKeys({
  j: () => {
    move(1);
  },
  k: () => {
    move(-1);
  },
  o: () => {
    click(current()?.querySelector('h2 a'));
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
  x: () => {
    click(current()?.querySelector('.pick input'));
  },
  u: () => {
    click(document.querySelector('.done button:not(.close)'));
  },
  '/': search,
});
