import { BASE } from './own-path.js';

/**
 * What the service worker remembers: whose pages are kept, and which changes wait for the network. IndexedDB, since a
 * service worker is stopped whenever it has nothing to do.
 */

/** One for each service of this host. */
const NAME = `satchel${BASE}`;
const CHANGES = 'changes';
const STATE = 'state';
const USER = 'user';

/**
 * A change of the list that the service has not got yet, with the body of its form without the token.
 * @typedef {{ id?: number, user: string, body: string }} Change
 */

/**
 * Whose pages are kept; `isSure` until a login in this browser, which may be of another user.
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
 * Runs one request on one of the two object stores, and waits until it is written.
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
 * The changes of one user, in the order in which they were made.
 * @param {string} owned
 * @returns {Promise<Change[]>}
 */
export async function changesOf(owned) {
  /** @type {unknown} */
  const kept = await inStore(CHANGES, (objects) => objects.getAll());
  return /** @type {Change[]} */ (kept).filter(({ user }) => user === owned);
}

/** @param {Change} change */
export const addChange = (change) => inStore(CHANGES, (objects) => objects.add(change));

/** @param {number} id */
export const removeChange = (id) => inStore(CHANGES, (objects) => objects.delete(id));

/** Forgets the user, and all that was to be changed for them. */
export async function forgetAll() {
  await inStore(CHANGES, (objects) => objects.clear());
  await inStore(STATE, (objects) => objects.clear());
}
