import { BASE } from './own-path.js';

/**
 * Stores the state of the service worker: the user whose pages are kept, and the queued changes. The state is in
 * IndexedDB, because browsers stop an idle service worker.
 */

/** The name of the database. Each service on the same host has its own database. */
const NAME = `satchel${BASE}`;
const CHANGES = 'changes';
const STATE = 'state';
const USER = 'user';

/** The maximum number of changes in the queue, so that the queue never uses all storage of the browser. */
const MOST_CHANGES = 500;

/**
 * A form that is not sent yet. `path` is the path of the form, and `/list/actions` if it is missing. `body` is the body
 * of the form without the CSRF token. `rejection` is the reason why the service has rejected the form.
 * @typedef {{ id?: number, user: string, path?: string, body: string, rejection?: string }} Change
 */

/**
 * The user whose pages are kept. `isSure` is false after a login in this browser, because another user may have logged
 * in.
 * @typedef {{ user: string, isSure: boolean }} Owner
 */

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(CHANGES, { keyPath: 'id', autoIncrement: true });
      request.result.createObjectStore(STATE);
    };
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(new Error('the browser keeps nothing', { cause: request.error }));
    };
  });
}

/**
 * Runs one request on an object store, and waits until the transaction is complete.
 * @template T
 * @param {string} name
 * @param {(objects: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function inStore(name, work) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, 'readwrite');
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => {
        resolve(request.result);
      };
      transaction.onabort = () => {
        reject(new Error('the browser has not kept it', { cause: transaction.error }));
      };
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<Owner | undefined>} */
export const owner = () => inStore(STATE, (objects) => objects.get(USER));

/** @param {Owner} value */
export const setOwner = (value) => inStore(STATE, (objects) => objects.put(value, USER));

/**
 * Returns the queued changes of one user, in the order in which they were queued.
 * @param {string} owned
 * @returns {Promise<Change[]>}
 */
export async function changesOf(owned) {
  /** @type {unknown} */
  const kept = await inStore(CHANGES, (objects) => objects.getAll());
  return /** @type {Change[]} */ (kept).filter(({ user }) => user === owned);
}

/**
 * Adds a change to the queue. Returns false if the queue is full.
 * @param {Change} change
 * @param {boolean} [replacesEarlier] true if the change replaces the earlier changes with the same path
 */
export async function addChange(change, replacesEarlier = false) {
  const queued = await changesOf(change.user);
  const isReplaced = (/** @type {Change} */ { path }) => replacesEarlier && path === change.path;
  for (const { id = 0 } of queued.filter(isReplaced)) {
    await removeChange(id);
  }
  const hasRoom = queued.filter((earlier) => !isReplaced(earlier)).length < MOST_CHANGES;
  if (hasRoom) {
    await inStore(CHANGES, (objects) => objects.add(change));
  }
  return hasRoom;
}

/** @param {Change} change */
export const putChange = (change) => inStore(CHANGES, (objects) => objects.put(change));

/** @param {number} id */
export const removeChange = (id) => inStore(CHANGES, (objects) => objects.delete(id));

/** Deletes the stored user and all queued changes. */
export async function forgetAll() {
  await inStore(CHANGES, (objects) => objects.clear());
  await inStore(STATE, (objects) => objects.clear());
}
