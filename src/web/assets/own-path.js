/**
 * Where this service lies on its host, without a slash at the end: empty, or a path such as `/satchel`. The address of
 * this script is below it.
 */
export const BASE = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/**
 * A path of this service as the browser knows it.
 * @param {string} path
 */
export const at = (path) => `${BASE}${path}`;

/**
 * The path of an address within this service; empty for what lies beside it on the same host.
 * @param {string} url
 */
export function ownPath(url) {
  const { pathname } = new URL(url);
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : '';
}
