/**
 * Matches a host on a local network. If the user types such a host without a scheme, the scheme is `http`, because
 * servers on local networks rarely support TLS.
 */
const NEAR = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/**
 * Matches the path of a Satchel web page at the end of a URL. If the user pastes the URL of a web page instead of the
 * server's address, this path is removed.
 */
const OWN_PAGE = /\/(?:account|auth|docs|highlights|list|read|save)(?:\/.*)?$/;

/**
 * Returns the server address that a user typed. Adds a missing scheme, and removes the path of a
 * Satchel web page and a trailing slash. Returns undefined if the text is not an http or https
 * address.
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
