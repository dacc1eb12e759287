import { fieldsOf } from './list-swap.js';
import { loadSheet } from './load-sheet.js';
import { notifyOf } from './notices.js';
import { t } from './text.js';

/**
 * The style sheets of the layouts, besides those of the list.
 * @type {Readonly<Record<string, URL>>}
 */
const SHEETS = {
  compact: new URL('./list-compact.css', import.meta.url),
  cards: new URL('./list-cards.css', import.meta.url),
};

/**
 * Shows the list in another layout at once, and stores the layout. Shows the earlier layout again if it cannot be
 * stored.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
export async function chooseLayout(form, button) {
  const sheet = SHEETS[button.value];
  if (sheet !== undefined) {
    await loadSheet(sheet.href);
  }
  const list = document.querySelector('.items');
  const before = list?.getAttribute('data-layout') ?? '';
  show(form, button.value);
  const body = fieldsOf(form, button);
  try {
    await store(form.getAttribute('action') ?? '', body);
  } catch (error) {
    show(form, before);
    notifyOf(error);
  }
}

/** @param {string} address @param {URLSearchParams} body */
async function store(address, body) {
  const headers = { Accept: 'application/json' };
  const answer = await fetch(address, { method: 'POST', body, headers }).catch(() => undefined);
  if (answer?.ok !== true) {
    throw new Error(t(answer === undefined ? 'scripts.unreachable' : 'scripts.unexpectedAnswer'));
  }
}

/** @param {HTMLFormElement} form @param {string} layout */
function show(form, layout) {
  document.querySelector('.items')?.setAttribute('data-layout', layout);
  for (const button of form.querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.value === layout));
  }
}
