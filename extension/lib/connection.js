import { notConnected } from './problem.js';
import { call, isObject, textIn } from './service.js';

/**
 * The connection of the extension to a server, with the credentials of the user.
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
 * Calls the API as the connected user.
 * @param {string} path
 * @param {import('./service.js').Members} members
 * @throws {Problem} if the call fails or there is no connection
 */
export async function callForPerson(path, members) {
  const known = await connection();
  if (known === undefined) {
    throw notConnected();
  }
  const { server, key, token } = known;
  return call(server, path, { consumer_key: key, access_token: token, ...members });
}
