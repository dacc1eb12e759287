import { noNetwork } from './offline-pages.js';
import { addChange, changesOf, owner, removeChange } from './offline-queue.js';
import { endSession, tell } from './offline-session.js';
import { at, BASE } from './own-path.js';

/** Queues changes of the list while the network is unavailable, and sends the changes later. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

export const ACTIONS = '/list/actions';
const SYNC = 'changes';

/**
 * Sends the queued changes of a user in the order in which they were made. A change that the service rejects is dropped
 * and counted. If the service cannot accept a change now, this change and all later changes stay in the queue.
 * @param {import('./offline-pages.js').OfflineIndex} index
 */
export async function sendChanges({ user, csrfToken }) {
  let refused = 0;
  for (const { id = 0, body } of await changesOf(user)) {
    const fields = new URLSearchParams(body);
    fields.set('_csrf', csrfToken);
    const response = await fetch(at(ACTIONS), {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: fields,
      redirect: 'manual',
    });
    if (!response.ok && !isRefused(response)) {
      break;
    }
    refused += response.ok ? 0 : 1;
    await removeChange(id);
  }
  await tell(refused);
}

/** @param {Response} response */
const isRefused = ({ status }) =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/**
 * Sends a change of the list. Without a network, queues the change.
 * @param {Request} request
 */
export async function act(request) {
  const copy = request.clone();
  // Read the user before the request, because another user may log in before the request fails.
  const sender = await owner().catch(() => undefined);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(request);
  } catch {
    return wait(copy, sender);
  }
  if (response.status === 401) {
    await endSession();
  }
  return response;
}

/**
 * @param {Request} request
 * @param {import('./offline-queue.js').Owner | undefined} sender
 */
async function wait(request, sender) {
  const fields = new URLSearchParams(await request.text());
  const changesNothing = fields.get('one')?.startsWith('edit_tags') === true;
  if (sender?.isSure !== true || changesNothing) {
    return noNetwork();
  }
  fields.delete('_csrf');
  await addChange({ user: sender.user, body: fields.toString() });
  await askForSync();
  await tell();
  return request.mode === 'navigate' ? Response.redirect(backOf(fields), 303) : asDone(fields);
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
function backOf(fields) {
  const { origin } = worker.location;
  const list = new URL(at('/list'), origin);
  const back = new URL(at(fields.get('back') ?? '/list'), origin);
  return back.origin === origin && back.pathname.startsWith(`${BASE}/`) ? back : list;
}

/** @param {URLSearchParams} fields */
function asDone(fields) {
  const items = fields.has('one') ? 1 : fields.getAll('item[]').length;
  return Response.json({ results: Array.from({ length: items }, () => true), waiting: true });
}
