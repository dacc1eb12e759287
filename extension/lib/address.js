/** Hosts that are near: TLS is rare there. */
const NEAR = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/** A person may copy the address of a page of the server. */
const OWN_PAGE = /\/(?:account|auth|docs|highlights|list|read|save)(?:\/.*)?$/;

/**
 * The address of a server without a slash at its end, from what a person types: it may lie under a path. Undefined for
 * what is no address.
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
