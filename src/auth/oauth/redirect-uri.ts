import { parsedUrl } from '../../lib/util/parsed-url.js';
/** Schemes that run, show or open something themselves, instead of returning the person to an application. */
const REFUSED_SCHEMES = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'filesystem:', 'about:'],
  ...['view-source:', 'jar:', 'intent:'],
]);
/** Browsers drop some control characters before they parse the scheme. */
const CONTROL = /\p{Cc}/u;

/** Returns whether an application may use the text as its redirect_uri. Most text is allowed (docs/decisions/0020). */
export const isRedirectUri = (text: string): boolean =>
  !CONTROL.test(text) && !REFUSED_SCHEMES.has(parsedUrl(text)?.protocol ?? '');

/**
 * Returns the address to redirect a browser to. Returns undefined for text that is not an address, such as `/` or
 * `not_needed`.
 */
export const redirectTarget = (redirectUri: string): string | undefined =>
  isRedirectUri(redirectUri) && parsedUrl(redirectUri) ? redirectUri : undefined;

/** Returns an address as browsers show it: the host in ASCII, and characters that could deceive a reader escaped. */
export const shownAddress = (target: string): string => new URL(target).href;

/**
 * Returns whether the text is the address of a host, or of a custom scheme with an authority. Text such as `/` is
 * neither.
 */
export const namesPlace = (redirectUri: string): boolean => authorityOf(redirectUri).host !== '';

/**
 * Returns whether a browser may bring the redirect_uri `given` to a request that was stored with `redirectUri`.
 * Applications append the code to the query, change the path, add a slash, or send a request without an address
 * (docs/decisions/0038).
 */
export function isOfRequest(given: string, redirectUri: string): boolean {
  if (given === redirectUri || !isRedirectUri(given)) {
    return isRedirectUri(given);
  }
  const [there, asked] = [authorityOf(given), authorityOf(redirectUri)];
  const isThere = there.origin === asked.origin || !namesPlace(redirectUri);
  return isThere && (there.userInfo === '' || there.userInfo === asked.userInfo);
}

interface Authority {
  readonly host: string;
  /** Scheme and host. `URL.origin` is null for custom schemes. */
  readonly origin: string;
  /** User name and password. Browsers show them before the host, so they can pass for the host. */
  readonly userInfo: string;
}

function authorityOf(text: string): Authority {
  const url = parsedUrl(text);
  if (url === undefined) {
    return { host: '', origin: '', userInfo: '' };
  }
  const { protocol, host, username, password } = url;
  return {
    host,
    origin: `${protocol}//${host}`,
    userInfo: `${username}${password && `:${password}`}`,
  };
}
