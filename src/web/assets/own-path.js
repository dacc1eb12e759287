/**
 * The path of this service on its host, without a trailing slash. It is empty, or a path such as `/satchel`. The path
 * is derived from the address of this script.
 */
export const BASE = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/**
 * Adds the sub-path of this service to a path.
 * @param {string} path
 */
export const at = (path) => `${BASE}${path}`;

/**
 * Returns the path of an address without the sub-path of this service. Returns an empty text for an address outside
 * this service.
 * @param {string} url
 */
export function ownPath(url) {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : '';
}
