import { noAnswer, noSatchel, notAllowed, refusalOf } from './problem.js';

/**
 * A JSON object, or the parameters of a call.
 * @typedef {{ readonly [name: string]: unknown }} Members
 */

/**
 * The timeout of an API call. It is long, because a `/v3/add` call waits until the server has fetched the page, and
 * because the upload of a snapshot on a slow line takes up to 95 seconds.
 */
const PATIENCE_MS = 120_000;

/** The length of a body above which it is compressed. */
const LARGE = 100_000;

/**
 * Returns the host permission for calls to a server. The permission has no port, because host permissions cannot
 * contain ports.
 * @param {string} server
 */
export const permissionFor = (server) => {
  const { protocol, hostname } = new URL(server);
  return { origins: [`${protocol}//${hostname}/*`] };
};

/**
 * Calls an endpoint of the v3 API.
 * @param {string} server
 * @param {string} path
 * @param {Members} members
 * @returns {Promise<Members>}
 * @throws {Problem} if the call fails
 */
export async function call(server, path, members) {
  const response = await answerTo(server, path, members);
  const answer = await response.json().then(
    (/** @type {unknown} */ value) => value,
    () => undefined,
  );
  if (!response.ok) {
    throw refusalOf(server, response);
  }
  if (!isObject(answer)) {
    throw noSatchel(server);
  }
  return answer;
}

/**
 * Sends an API call and returns the response. Sends no cookies, because the access token identifies the user.
 * @param {string} server
 * @param {string} path
 * @param {Members} members
 */
async function answerTo(server, path, members) {
  if (!(await chrome.permissions.contains(permissionFor(server)))) {
    throw notAllowed(server);
  }
  try {
    const { body, headers } = await encodedBody(JSON.stringify(members));
    return await fetch(`${server}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'X-Accept': 'application/json' },
      body,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    throw noAnswer(server);
  }
}

/**
 * Compresses a large body, because snapshots are large and lines for uploads are slow.
 * @param {string} json
 * @returns {Promise<{ body: string | Blob, headers: Record<string, string> }>}
 */
async function encodedBody(json) {
  if (json.length < LARGE) {
    return { body: json, headers: {} };
  }
  const compressed = new Blob([json]).stream().pipeThrough(new CompressionStream('gzip'));
  const body = await new Response(compressed).blob();
  return { body, headers: { 'Content-Encoding': 'gzip' } };
}

/**
 * Returns true for objects and arrays.
 * @param {unknown} value
 * @returns {value is Members}
 */
export const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {unknown} value */
export const textIn = (value) => (typeof value === 'string' ? value : '');
