/** Hosts that are near: TLS is rare there. */
const NEAR = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\])/;

/**
 * The origin of a server, from what a person types; undefined for what is no address.
 * @param {string} typed
 */
export function serverIn(typed) {
  const text = typed.trim();
  const scheme = NEAR.test(text) ? 'http' : 'https';
  const address = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
  if (text === '' || !URL.canParse(address)) {
    return undefined;
  }
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
