import { INDEX, PAGES, userOf } from './offline-pages.js';
import { changesOf, forgetAll, owner, setOwner } from './offline-queue.js';

/** @typedef {import('./offline-pages.js').OfflineIndex} OfflineIndex */

/** Whose pages the service worker keeps, and when it must forget them (docs/decisions/0098). */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** Increases when the session of this browser may have changed. Work that started before must not finish. */
let era = 0;

/** True until the session of this browser may have changed. @returns {() => boolean} */
function sameSession() {
  const begun = era;
  return () => era === begun;
}

/** Deletes everything that belongs to the user. Returns `sameSession` of the time from which on nothing was left. */
export async function forget() {
  era += 1;
  const isCurrent = sameSession();
  await caches.delete(PAGES);
  await forgetAll();
  await tell();
  return isCurrent;
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

/**
 * Asks the service whose list this is. If it is another user's, or nobody is logged in, the kept pages are deleted.
 * @returns {Promise<{ index: OfflineIndex, isCurrent: () => boolean } | undefined>} Undefined if no user is logged in.
 */
export async function confirmOwner() {
  const isUnchanged = sameSession();
  const headers = { Accept: 'application/json' };
  const response = await fetch(INDEX, { headers, redirect: 'manual' });
  /** @type {unknown} */
  const body = response.ok ? await response.json() : undefined;
  const known = await owner();
  if (!isUnchanged()) {
    return confirmOwner();
  }
  if (isSessionEnd(response)) {
    await endSession();
  }
  if (body === undefined) {
    return undefined;
  }
  const index = /** @type {OfflineIndex} */ (body);
  const isCurrent = known?.user === index.user ? isUnchanged : await forget();
  await setOwner({ user: index.user, isSure: true });
  if (!isCurrent()) {
    await setOwner({ user: index.user, isSure: false });
    return confirmOwner();
  }
  return { index, isCurrent };
}

/** A page for a user names the user. A redirect, a login page and a refusal do not. @param {Response} response */
export async function checkSession(response) {
  if (userOf(response) === null) {
    await confirmOwner();
  }
}

/** The service answers 401 without a session; a proxy that logs people in redirects. @param {Response} response */
const isSessionEnd = ({ status, type }) => status === 401 || type === 'opaqueredirect';

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
  const waiting =
    known?.isSure === true ? (await changesOf(known.user)).map(({ body }) => body) : [];
  for (const client of await worker.clients.matchAll()) {
    client.postMessage({ waiting, refused });
  }
}
