import { owner } from './offline-queue.js';
import { at } from './own-path.js';

/** Shows the list of the articles that this browser keeps. Shows nothing if another user may have logged in. */

/**
 * @typedef {{ id: string, title: string, site: string }} Kept
 */

async function listed() {
  const response = await caches.match(at('/list/offline.json'));
  /** @type {unknown} */
  const index = await response?.json();
  const { items } = /** @type {{ items: Kept[] }} */ (index ?? { items: [] });
  return items.map(({ id, title, site }) => {
    const link = document.createElement('a');
    link.href = at(`/read/${id}`);
    link.dir = 'auto';
    link.textContent = title;
    const entry = document.createElement('li');
    entry.append(link, ` ${site}`);
    return entry;
  });
}

const list = document.getElementById('kept');
if (list !== null && 'caches' in window && (await owner())?.isSure === true) {
  list.replaceChildren(...(await listed()));
}
