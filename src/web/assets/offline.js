import { at } from './own-path.js';
import { language, t } from './text.js';

/**
 * Starts the service worker, which keeps articles for offline reading. Shows which changes are queued
 * (docs/use/reader.md).
 */

/** @typedef {import('./offline-queue.js').Change} Change */

const notice = document.createElement('div');
notice.className = 'notice offline';
notice.setAttribute('role', 'status');
notice.hidden = true;

/**
 * The description of the queued and the rejected changes.
 * @type {readonly Element[]}
 */
let description = [];
let hasChanges = false;

function show() {
  notice.replaceChildren(...description);
  // Pages about a missing network are not stored copies.
  if (!navigator.onLine && document.querySelector('[data-offline]') === null) {
    const text = document.createElement('p');
    text.textContent = t('scripts.offline');
    notice.prepend(text);
  }
  notice.hidden = notice.childElementCount === 0;
}

/** @param {readonly Change[]} changes */
async function take(changes) {
  hasChanges ||= changes.length > 0;
  if (hasChanges) {
    const { takeChanges } = await import('./offline-notice.js');
    takeChanges(changes, (parts) => {
      description = parts;
      show();
    });
  }
}

/** Asks the service worker to send the queued changes, and to update the kept pages. */
async function sendQueued() {
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage({});
}

/** The user to whom this page belongs. Undefined until the service worker has named the user. @type {string | undefined} */
let user;

/** @param {ServiceWorkerContainer} container */
async function begin(container) {
  container.addEventListener(
    'message',
    (/** @type {MessageEvent<{ changes: readonly Change[], user?: string }>} */ { data }) => {
      // After the login of another user, the forms of this page would change the list of that user.
      if (data.user && (user ??= data.user) !== data.user) {
        location.reload();
      }
      void take(data.changes);
    },
  );
  addEventListener('online', () => {
    show();
    void sendQueued();
  });
  addEventListener('offline', show);
  await container.register(at(`/service-worker.js?language=${language}`), { type: 'module' });
  await sendQueued();
}

document.querySelector('main')?.prepend(notice);
show();
// Browsers support service workers only over HTTPS and on localhost.
if ('serviceWorker' in navigator) {
  begin(navigator.serviceWorker).catch(() => {
    // Ignore the error, because the pages also work without a service worker.
  });
}
