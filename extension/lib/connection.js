import { notConnected } from './problem.js';
import { call, isObject, textIn } from './service.js';

/**
 * Where a person's list is, and the right to use it.
 * @typedef {object} Connection
 * @property {string} server
 * @property {string} key
 * @property {string} token
 * @property {string} username
 */

/** @returns {Promise<Connection | undefined>} */
export async function connection() {
  const { connection: kept } = await chrome.storage.local.get('connection');
  if (!isObject(kept)) {
    return undefined;
  }
  return {
    server: textIn(kept['server']),
    key: textIn(kept['key']),
    token: textIn(kept['token']),
    username: textIn(kept['username']),
  };
}

/** @param {Connection} made */
export const keepConnection = (made) => chrome.storage.local.set({ connection: made });

export const forgetConnection = () => chrome.storage.local.remove('connection');

/**
 * A call for the person. Throws a Problem, also where there is no connection.
 * @param {string} path
 * @param {import('./service.js').Members} members
 */
export async function callForPerson(path, members) {
  const known = await connection();
  if (known === undefined) {
    throw notConnected();
  }
  const { server, key, token } = known;
  return call(server, path, { consumer_key: key, access_token: token, ...members });
}
