/** Matches hosts on local networks, where TLS is rare. */
const NEAR = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/**
 * Matches the path of a page of the service. A user may copy the address of such a page instead of the server's
 * address.
 */
const OWN_PAGE = /\/(?:account|auth|docs|highlights|list|read|save)(?:\/.*)?$/;

/**
 * Returns the address of a server without a trailing slash. The address may include a path. Returns undefined if the
 * input is not an address.
 * @param {string} typed
 */
export function serverIn(typed) {
  const text = typed.trim();
  const scheme = NEAR.test(text) ? 'http' : 'https';
  const address = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
  if (text === '' || !URL.canParse(address)) {
    return undefined;
  }
  const { protocol, origin, pathname } = new URL(address);
  return protocol === 'http:' || protocol === 'https:'
    ? `${origin}${pathname.replace(OWN_PAGE, '').replace(/(?<!\/)\/+$/, '')}`
    : undefined;
}
