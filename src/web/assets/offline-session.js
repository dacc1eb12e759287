import { INDEX, noNetwork, PAGES, userOf } from './offline-pages.js';
import { changesOf, forgetAll, owner, setOwner } from './offline-queue.js';

/** @typedef {import('./offline-pages.js').OfflineIndex} OfflineIndex */

/**
 * Stores the user whose pages the service worker keeps. Deletes the pages when the session of this user ends
 * (docs/decisions/0098).
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/**
 * A counter that increases when the session of this browser may have changed. Work that began with a lower value must
 * stop.
 */
let era = 0;

/**
 * Returns a check function. The function returns true until the session of this browser may have changed.
 * @returns {() => boolean}
 */
function sameSession() {
  const begun = era;
  return () => era === begun;
}

/**
 * Deletes all data of the user: the kept pages and the queued changes. Returns a check function of `sameSession` for
 * the time after the deletion.
 */
export async function forget() {
  era += 1;
  const isCurrent = sameSession();
  await caches.delete(PAGES);
  await forgetAll();
  await tell();
  return isCurrent;
}

/**
 * Sends the form with which a user logs out or deletes the account. Deletes all data of the user if the service has
 * accepted the form. Without a network, deletes nothing, because the user is still logged in. A rejected form has an
 * error status, and the login page of a proxy names no user.
 * @param {Request} request
 */
export async function leave(request) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(request);
  } catch {
    return noNetwork();
  }
  if (response.type === 'opaqueredirect' || (response.ok && userOf(response) !== null)) {
    // Ignore errors of the storage, because the header `Clear-Site-Data` may have deleted it already.
    await forget().catch(() => undefined);
  }
  return response;
}

/** Hides the kept pages until the service confirms the user, because another user may have logged in. */
export async function doubt() {
  era += 1;
  const known = await owner();
  if (known !== undefined) {
    await setOwner({ ...known, isSure: false });
  }
}

/** Deletes the kept pages. Queued changes stay, because their user may log in again. */
export async function endSession() {
  await doubt();
  await caches.delete(PAGES);
  await tell();
}

/**
 * Asks the service for the user of the session. Deletes the kept pages if this user is not the owner of the pages, or
 * if no user is logged in.
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

/**
 * Confirms the user again after a response that names no user, such as a redirect, a login page or an error.
 * @param {Response} response
 */
export async function checkSession(response) {
  if (userOf(response) === null) {
    await confirmOwner();
  }
}

/**
 * Returns true if the response shows that no user is logged in. The service returns 401 in this case, and a proxy that
 * handles logins redirects.
 * @param {Response} response
 */
const isSessionEnd = ({ status, type }) => status === 401 || type === 'opaqueredirect';

/**
 * Returns true if a page belongs to the user whose pages are kept. Deletes the kept pages if the page belongs to
 * another user.
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

/**
 * Sends the user and the queued changes to the open pages. Sends neither until the user is confirmed, because another
 * user may have opened the pages.
 */
export async function tell() {
  const known = await owner();
  const user = known?.isSure === true ? known.user : undefined;
  const changes = user === undefined ? [] : await changesOf(user);
  for (const client of await worker.clients.matchAll()) {
    client.postMessage({ changes, user });
  }
}
