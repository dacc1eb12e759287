import { loadSheet } from './load-sheet.js';
import { noticeOf, notifyOf } from './notices.js';
import { at } from './own-path.js';

/**
 * Shows another state of the list without a page load: fetches the page that the service would show, and replaces the
 * content of this page. After that, the document dispatches the event `list-shown`.
 */

/**
 * Returns the fields of a form that its button sends.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} button
 */
export function fieldsOf(form, button) {
  const fields = [...new FormData(form, button)];
  return new URLSearchParams(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/**
 * Sends a form of the list, and shows the page of the answer. Returns false if the answer is another page, for example an
 * error or a login page. The browser must then send the form again, and show this page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} button
 */
export async function sendInPlace(form, button) {
  const body = fieldsOf(form, button);
  try {
    const address = form.getAttribute('action') ?? '';
    const answer = await fetch(address, { method: 'POST', body, headers: { Accept: 'text/html' } });
    if (!isQueued(answer)) {
      return await isShown(answer);
    }
    document.dispatchEvent(new Event('list-shown'));
  } catch (error) {
    notifyOf(error);
  }
  return true;
}

let refreshed = Promise.resolve();

/** Waits until the page has been shown again, if it is being fetched. */
export const settled = () => refreshed;

/** Fetches this page again, and shows its current state. Keeps the notice. Does nothing without a network. */
export function refresh() {
  // One at a time, so that an earlier state never replaces a later one.
  refreshed = refreshed.then(fetchAgain);
  return refreshed;
}

async function fetchAgain() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(
    () => undefined,
  );
  if (answer !== undefined) {
    await isShown(answer);
  }
}

/**
 * Returns true if the service worker has queued the change until the network is back.
 * @param {Response} answer
 */
const isQueued = ({ headers }) =>
  headers.get('content-type')?.startsWith('application/json') === true;

/**
 * Shows a page of the list. Returns false if the answer is another page.
 * @param {Response} answer
 */
async function isShown(answer) {
  const url = new URL(answer.url);
  if (!answer.ok || url.pathname !== at('/list')) {
    return false;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.querySelector('main');
  const main = document.querySelector('main');
  if (next === null || main === null) {
    return false;
  }
  await loadSheets(page);
  show(main, next);
  history.replaceState(null, '', url);
  document.dispatchEvent(new Event('list-shown'));
  return true;
}

/**
 * Loads the style sheets of another page.
 * @param {Document} page
 */
const loadSheets = (page) =>
  Promise.all(
    Array.from(page.querySelectorAll('link[rel=stylesheet]'), (link) =>
      loadSheet(new URL(link.getAttribute('href') ?? '', location.href).href),
    ),
  );

/**
 * Replaces the content of `main`. Keeps the elements of notices, because screen readers announce only changes of
 * existing elements.
 * @param {HTMLElement} main
 * @param {HTMLElement} next
 */
function show(main, next) {
  const notice = noticeOf();
  const news = next.querySelector('.done');
  if (news !== null) {
    notice.replaceChildren(...news.children);
    news.remove();
  }
  // A notice stays in the document, because a click on its button is lost if the button leaves the document meanwhile.
  for (const child of [...main.children]) {
    if (!child.classList.contains('notice')) {
      child.remove();
    }
  }
  main.append(...next.children);
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}
