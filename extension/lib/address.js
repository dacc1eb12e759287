/**
 * Matches hosts on local networks. Their addresses get the scheme `http` by default, because TLS is rare on local
 * networks.
 */
const NEAR = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/**
 * Matches the path of a page of Satchel. The path is removed, because a user may paste the address of a page instead of
 * the server's address.
 */
const OWN_PAGE = /\/(?:account|auth|docs|highlights|list|read|save)(?:\/.*)?$/;

/**
 * Parses the server address that a user typed, which may include a path, and removes a trailing slash. Returns
 * undefined if the text is not an address.
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
