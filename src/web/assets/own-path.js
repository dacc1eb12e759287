/**
 * The path of this service on its host, without a trailing slash: empty, or a path such as `/satchel`. Derived from the
 * address of this script.
 */
export const BASE = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/**
 * Adds the sub-path to a path of this service.
 * @param {string} path
 */
export const at = (path) => `${BASE}${path}`;

/**
 * Returns the path of an address within this service. Empty for other addresses on the same host.
 * @param {string} url
 */
export function ownPath(url) {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : '';
}
