import { noNetwork, NOT_QUEUED } from './offline-pages.js';
import { addChange, changesOf, owner, putChange, removeChange } from './offline-queue.js';
import { ACTIONS, changesNothing, concernSameItem, formAt } from './offline-requests.js';
import { confirmOwner, endSession, tell } from './offline-session.js';
import { at, ownPath } from './own-path.js';
import { t } from './text.js';

/** Queues forms while the network is unavailable, and sends the forms later. */

/** @typedef {import('./offline-queue.js').Change} Change */
/** @typedef {import('./offline-queue.js').Owner} Owner */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const SYNC = 'changes';
const INSUFFICIENT_STORAGE = 507;
/** Statuses of the service that may change later: no login, an outdated token, a slow request, too many requests. */
const PASSING = new Set([401, 403, 408, 429]);

/**
 * Sends the queued changes of a user in the order in which they were made. A change that the service rejects is not
 * sent again. It stays in the queue with the reason until the user has seen it. If the service cannot accept a change
 * now, this change and all later changes stay in the queue.
 * @param {import('./offline-pages.js').OfflineIndex} index
 * @returns the number of changes that the service has answered
 */
export function sendChanges(index) {
  sending ??= sendAll(index).finally(() => {
    sending = undefined;
  });
  return sending;
}

/** The attempt that is in progress. @type {Promise<number> | undefined} */
let sending;

/** @param {import('./offline-pages.js').OfflineIndex} index */
async function sendAll({ user, csrfToken }) {
  let count = 0;
  // Read the queue again after each change, because pages add changes in the meantime.
  for (let [next] = await waiting(user); next !== undefined; [next] = await waiting(user)) {
    const rejection = await send(next, csrfToken);
    if (rejection === undefined) {
      break;
    }
    count += 1;
    await settle(next, rejection);
  }
  await tell();
  return count;
}

/** Returns the changes of a user that the service has not answered yet. @param {string} user */
const waiting = async (user) =>
  (await changesOf(user)).filter(({ rejection }) => rejection === undefined);

/**
 * @param {Change} change
 * @param {string} rejection
 */
async function settle(change, rejection) {
  const { id = 0, path = ACTIONS } = change;
  if (rejection === '' || formAt(path)?.isSilent === true) {
    await removeChange(id);
  } else {
    await putChange({ ...change, rejection });
  }
}

/**
 * Sends a queued change. Each change can be sent again after a lost response without another effect: the service adds no
 * second item for an address, and no second highlight for the same words. Follows redirects, because the service
 * redirects forms for an item whose address has changed to its new id (docs/decisions/0113).
 * @param {Change} change
 * @param {string} csrfToken
 * @returns {Promise<string | undefined>} The reason of a rejection, and an empty text if the service has accepted the
 * change. Undefined if the change must be sent again later.
 */
async function send({ path = ACTIONS, body }, csrfToken) {
  const fields = new URLSearchParams(body);
  fields.set('_csrf', csrfToken);
  const response = await fetch(at(path), {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: fields,
  });
  if (response.ok) {
    return isJson(response) ? resultIn(await response.json().catch(() => ({}))) : undefined;
  }
  if (response.status === 404 && formAt(ownPath(response.url))?.isDoneIfMissing === true) {
    return '';
  }
  return isRejected(response) ? rejectionOf(response) : undefined;
}

/** Returns false for the login page of a proxy. @param {Response} response */
const isJson = ({ headers }) =>
  headers.get('Content-Type')?.startsWith('application/json') === true;

/** @param {Response} response */
const isRejected = ({ status }) =>
  status === INSUFFICIENT_STORAGE || (status >= 400 && status < 500 && !PASSING.has(status));

/** @param {Response} response */
async function rejectionOf(response) {
  /** @type {unknown} */
  const body = await response.json().catch(() => ({}));
  const { message } = /** @type {{ message?: string | readonly string[] }} */ (body ?? {});
  return [message ?? t('scripts.changeRejected')].flat().join(' ');
}

/**
 * Returns a reason if an accepted action of the list has changed none of its items, and an empty text otherwise.
 * @param {unknown} body
 */
function resultIn(body) {
  const { results = [] } = /** @type {{ results?: readonly boolean[] }} */ (body ?? {});
  const isWithoutEffect = results.length > 0 && results.every((isDone) => !isDone);
  return isWithoutEffect ? t('scripts.itemGone') : '';
}

/**
 * Sends a form. Without a network, queues the form. Forms with the field `queue` are from pages that are the same for
 * all users and have no CSRF token, so they are always queued, and sent with the token of the session.
 * @param {Request} request
 */
export async function act(request) {
  const copy = request.clone();
  const fields = new URLSearchParams(await request.clone().text());
  // Read the user before the request, because another user may log in before the request fails.
  const sender = await owner().catch(() => undefined);
  if (fields.has('queue')) {
    return wait(copy, fields, sender);
  }
  /** @type {Response} */
  let response;
  try {
    if (await mustWait(sender, copy.url, fields)) {
      return await wait(copy, fields, sender);
    }
    response = await fetch(request);
  } catch {
    return wait(copy, fields, sender);
  }
  if (response.status === 401) {
    await endSession();
  }
  return response;
}

/**
 * Sends the queued changes before a new change, because the new change may undo them. Returns true if the service could
 * not accept an earlier change of the same items, for example because it was busy.
 * @throws TypeError if the network is unavailable
 * @param {Owner | undefined} sender
 * @param {string} url
 * @param {URLSearchParams} fields
 */
async function mustWait(sender, url, fields) {
  if (sender?.isSure !== true || !(await hasQueued(sender.user).catch(() => false))) {
    return false;
  }
  const confirmed = await confirmOwner();
  if (confirmed?.index.user === sender.user) {
    await sendChanges(confirmed.index);
  }
  if (!(await isOwner(sender.user))) {
    return false;
  }
  const form = { path: ownPath(url), fields };
  return (await waiting(sender.user)).some(({ path = ACTIONS, body }) =>
    concernSameItem({ path, fields: new URLSearchParams(body) }, form),
  );
}

/** Returns true if a user is still confirmed as the user of the session. @param {string} user */
async function isOwner(user) {
  const known = await owner();
  return known?.isSure === true && known.user === user;
}

/** Returns true if changes of a user are not sent yet. @param {string} user */
export const hasQueued = async (user) => (await waiting(user)).length > 0;

/**
 * @param {Request} request
 * @param {URLSearchParams} fields
 * @param {Owner | undefined} sender
 */
async function wait(request, fields, sender) {
  const url = new URL(request.url);
  const form = formAt(ownPath(request.url));
  const isOfPage = request.mode === 'navigate';
  if (sender?.isSure !== true || form === undefined) {
    return isOfPage ? noNetwork() : unreachable();
  }
  const isQueued = changesNothing(fields) || (await queue(sender.user, url, fields));
  const pageAfter = isQueued ? form.pageAfter(url, fields).href : NOT_QUEUED;
  return isOfPage ? Response.redirect(pageAfter, 303) : scriptAnswer(isQueued, fields);
}

/**
 * @param {boolean} isQueued
 * @param {URLSearchParams} fields
 */
const scriptAnswer = (isQueued, fields) => (isQueued ? asDone(fields) : notQueued());

const unreachable = () => Response.json({ message: t('scripts.unreachable') }, { status: 503 });

const notQueued = () =>
  Response.json({ message: t('scripts.queueFull') }, { status: INSUFFICIENT_STORAGE });

/**
 * Queues a form that a page could not send, for example because the page was being closed.
 * @param {string} url
 * @param {string} body
 */
export async function queueOfPage(url, body) {
  const known = await owner();
  if (known?.isSure === true && formAt(ownPath(url)) !== undefined) {
    await queue(known.user, new URL(url), new URLSearchParams(body));
  }
}

/**
 * Adds a form to the queue. Returns false if the queue or the storage of the browser is full.
 * @param {string} user
 * @param {URL} url
 * @param {URLSearchParams} fields
 */
async function queue(user, { href }, fields) {
  const path = ownPath(href);
  fields.delete('_csrf');
  fields.delete('queue');
  if (formAt(path)?.isLastOnly === true && !fields.has('at')) {
    fields.set('at', String(Date.now()));
  }
  const change = { user, path, body: fields.toString() };
  const isAdded = await addChange(change, formAt(path)?.isLastOnly).catch(() => false);
  if (isAdded) {
    await askForSync();
    await tell();
  }
  return isAdded;
}

/** Deletes the rejected changes after the user has seen them. */
export async function dismiss() {
  const known = await owner();
  for (const { id = 0, rejection } of known?.isSure === true ? await changesOf(known.user) : []) {
    if (rejection !== undefined) {
      await removeChange(id);
    }
  }
  await tell();
}

/** Asks the browser to wake this worker when the network is back. Not all browsers support this (Background Sync). */
async function askForSync() {
  const { sync } = /** @type {{ sync?: { register(tag: string): Promise<void> } }} */ (
    /** @type {unknown} */ (worker.registration)
  );
  try {
    await sync?.register(SYNC);
  } catch {
    // Ignore the error. The queued changes are sent when the next page is opened.
  }
}

/** @param {URLSearchParams} fields */
function asDone(fields) {
  const items = fields.has('one') ? 1 : fields.getAll('item[]').length;
  return Response.json({ results: Array.from({ length: items }, () => true), waiting: true });
}
