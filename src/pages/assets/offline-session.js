import { PAGES, userOf } from './offline-pages.js';
import { changes, forgetAll, owner, setOwner } from './offline-queue.js';

/** Whose pages the service worker keeps, and when it must forget them (docs/decisions/0098). */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** Increases when the session of this browser may have changed. Work that started before must not finish. */
let era = 0;

/** True until the session of this browser may have changed. @returns {() => boolean} */
export function sameSession() {
  const begun = era;
  return () => era === begun;
}

/** Deletes everything that belongs to the user. */
export async function forget() {
  era += 1;
  await caches.delete(PAGES);
  await forgetAll();
  await tell();
}

/** Hides the kept pages until the service confirms whose list this is: another user may have logged in. */
export async function doubt() {
  era += 1;
  const known = await owner();
  if (known !== undefined) {
    await setOwner({ ...known, isSure: false });
  }
}

/** Deletes the kept pages. Changes that wait stay for their user, who may log in again. */
export async function endSession() {
  await doubt();
  await caches.delete(PAGES);
  await tell();
}

/** The service answers 401 without a session; a proxy that logs people in redirects. @param {Response} response */
export const isSessionEnd = ({ status, type }) => status === 401 || type === 'opaqueredirect';

/**
 * True if a page belongs to the user whose pages are kept. If it belongs to another user, the kept pages are deleted.
 * @param {Response} response
 */
export async function isOfOwner(response) {
  const known = await owner();
  const user = userOf(response);
  if (user !== null && known !== undefined && user !== known.user) {
    await forget();
    return false;
  }
  return known?.isSure === true && user === known.user;
}

/** Reports to the open pages which changes wait. Another user may have opened them: without a known user, none do. */
export async function tell(refused = 0) {
  const known = await owner();
  const waiting = known?.isSure === true ? (await changes()).map(({ body }) => body) : [];
  for (const client of await worker.clients.matchAll()) {
    client.postMessage({ waiting, refused });
  }
}
