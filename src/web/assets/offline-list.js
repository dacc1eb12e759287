import { keptItems } from './offline-items.js';
import { at } from './own-path.js';
import { t } from './text.js';

/** Shows the list of the articles that this browser keeps. Shows nothing if another user may have logged in. */

/** @param {import('./offline-pages.js').OfflineItem} item */
function entryOf({ id, title, site }) {
  const link = document.createElement('a');
  link.href = at(`/read/${id}`);
  link.dir = 'auto';
  link.textContent = title;
  const entry = document.createElement('li');
  entry.append(link, ` ${site}`);
  return entry;
}

/** The service worker opens this page with the fragment `full` if it could not queue a change. */
if (location.hash === '#full') {
  const notice = document.createElement('p');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  notice.textContent = t('scripts.queueFull');
  document.querySelector('h1')?.after(notice);
}

const kept = document.getElementById('kept');
const items = await keptItems();
if (kept !== null && items.length > 0) {
  kept.querySelector('ol')?.replaceChildren(...items.map(entryOf));
  kept.hidden = false;
}
