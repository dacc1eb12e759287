import { t } from './text.js';

/**
 * Shows the changes that the service worker has queued, and those that the service has rejected. Asks the service worker
 * to send them again. A page loads this script when the first change is queued.
 */

/** @typedef {import('./offline-queue.js').Change} Change */

/** The time after which an open page asks again to send the queued changes. It doubles after each try. */
const RETRY_MS = { first: 2000, most: 300_000 };

let shownHtml = '';
let hadQueued = false;
let retryMs = RETRY_MS.first;
/** @type {number | undefined} */
let retryTimer;

addEventListener('online', () => {
  retryMs = RETRY_MS.first;
});

/**
 * Marks the items that have queued changes, and asks the service worker to send the changes later. Calls `show`
 * with the paragraphs and lists that describe the changes, but not with the same ones again: a button that is replaced
 * while the user presses it gets no click. Dispatches the event `changes-sent` after the last change is sent.
 * @param {readonly Change[]} changes
 * @param {(parts: readonly Element[]) => void} show
 */
export function takeChanges(changes, show) {
  const queued = changes.filter(({ rejection }) => rejection === undefined);
  const rejected = changes.filter(({ rejection }) => rejection !== undefined);
  markItems(queued);
  if (queued.length > 0) {
    retryLater();
  } else {
    retryMs = RETRY_MS.first;
  }
  if (hadQueued && queued.length === 0) {
    document.dispatchEvent(new Event('changes-sent'));
  }
  hadQueued = queued.length > 0;
  const parts = [...queuedParts(queued), ...rejectedParts(rejected)];
  const html = parts.map(({ outerHTML }) => outerHTML).join('');
  if (html !== shownHtml) {
    shownHtml = html;
    show(parts);
  }
}

/** Asks the service worker to send the queued changes later, because the service may be unavailable now. */
function retryLater() {
  retryTimer ??= setTimeout(() => {
    retryTimer = undefined;
    retryMs = Math.min(retryMs * 2, RETRY_MS.most);
    navigator.serviceWorker.controller?.postMessage({});
  }, retryMs);
}

/**
 * @param {string} tag
 * @param {string} text
 */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** @param {readonly string[]} texts */
function listOf(texts) {
  const list = document.createElement('ul');
  for (const text of texts) {
    const entry = element('li', text);
    entry.dir = 'auto';
    list.append(entry);
  }
  return list;
}

/** @param {Change} change */
const isSave = ({ path }) => path === '/save';

/** Reading positions are queued without an action of the user. @param {Change} change */
const isPosition = ({ path = '' }) => path.endsWith('/position');

/** @param {Change} change */
const isHighlight = ({ path = '' }) => path.includes('/highlights');

/** Returns the address or the words that a change adds. Empty for other changes. @param {Change} change */
function addedBy(change) {
  const fields = new URLSearchParams(change.body);
  return isSave(change)
    ? fields.get('url') || fields.get('text') || fields.get('title') || ''
    : fields.get('quote') || fields.get('note') || '';
}

/**
 * @param {string} heading
 * @param {readonly Change[]} changes
 */
const section = (heading, changes) =>
  changes.length === 0 ? [] : [element('p', heading), listOf(changes.map(addedBy))];

/** @param {readonly Change[]} changes */
function queuedParts(changes) {
  const counted = changes.filter((change) => !isPosition(change));
  const saves = counted.filter(isSave);
  const highlights = counted.filter((change) => isHighlight(change) && addedBy(change) !== '');
  const others = counted.length - saves.length - highlights.length;
  return [
    ...(others > 0 ? [element('p', t('scripts.waitingChanges', { count: others }))] : []),
    ...section(t('scripts.waitingSaves', { count: saves.length }), saves),
    ...section(t('scripts.waitingHighlights'), highlights),
  ];
}

/** @param {readonly Change[]} changes */
function rejectedParts(changes) {
  if (changes.length === 0) {
    return [];
  }
  const button = element('button', t('scripts.dismiss'));
  button.addEventListener('click', dismiss);
  const texts = changes.map((change) => {
    const values = { change: addedBy(change) || t('scripts.listChange') };
    return t('scripts.rejectedChange', { ...values, reason: change.rejection ?? '' });
  });
  const heading = t('scripts.rejectedChanges', { count: changes.length });
  return [element('p', heading), listOf(texts), button];
}

function dismiss() {
  navigator.serviceWorker.controller?.postMessage({ isDismissed: true });
}

/** @param {readonly Change[]} queued */
function markItems(queued) {
  const ids = new Set(queued.flatMap(itemsOf));
  for (const box of document.querySelectorAll('input[name="item[]"]')) {
    if (box instanceof HTMLInputElement) {
      box.closest('li')?.classList.toggle('waiting', ids.has(box.value));
    }
  }
}

/** @param {Change} change */
function itemsOf({ body }) {
  const fields = new URLSearchParams(body);
  const [, one] = fields.get('one')?.split(':') ?? [];
  return one === undefined ? fields.getAll('item[]') : [one];
}
