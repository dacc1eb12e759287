import { at } from './own-path.js';
import { t } from './text.js';

/**
 * Starts the service worker, which keeps articles for offline reading. Shows which changes are queued
 * (docs/use/reader.md).
 */

/** @typedef {{ waiting: readonly string[], refused: number }} Told */

const notice = document.createElement('p');
notice.className = 'notice';
notice.setAttribute('role', 'status');
notice.hidden = true;

/** @type {readonly string[]} */
let waiting = [];
let refused = 0;

function show() {
  const count = waiting.length;
  const sentences = [
    ...(navigator.onLine ? [] : [t('scripts.offline')]),
    ...(count > 0 ? [t('scripts.waitingChanges', { count })] : []),
    ...(refused > 0 ? [t('scripts.refusedChanges', { count: refused })] : []),
  ];
  notice.textContent = sentences.join(' ');
  notice.hidden = sentences.length === 0;
  markItems();
}

/** Marks the items of the list that have queued changes. */
function markItems() {
  const ids = new Set(waiting.flatMap(itemsOf));
  for (const box of document.querySelectorAll('input[name="item[]"]')) {
    if (box instanceof HTMLInputElement) {
      box.closest('li')?.classList.toggle('waiting', ids.has(box.value));
    }
  }
}

/** @param {string} body */
function itemsOf(body) {
  const fields = new URLSearchParams(body);
  const [, one] = fields.get('one')?.split(':') ?? [];
  return one === undefined ? fields.getAll('item[]') : [one];
}

/** @param {ServiceWorkerContainer} container */
async function begin(container) {
  container.addEventListener('message', (/** @type {MessageEvent<Told>} */ { data }) => {
    ({ waiting, refused } = data);
    show();
  });
  const keep = async () => {
    const registration = await container.ready;
    registration.active?.postMessage('keep');
  };
  addEventListener('online', () => {
    show();
    void keep();
  });
  addEventListener('offline', show);
  await container.register(at('/service-worker.js'), { type: 'module', updateViaCache: 'none' });
  await keep();
}

document.querySelector('main')?.prepend(notice);
show();
// Browsers support service workers only over HTTPS and on localhost.
if ('serviceWorker' in navigator) {
  begin(navigator.serviceWorker).catch(() => {
    // Ignore the error, because the pages also work without a service worker.
  });
}
