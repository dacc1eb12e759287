import { parsedUrl } from '../../lib/util/parsed-url.js';
/** What runs, shows or opens something of its own instead of handing the person back to an application. */
const REFUSED_SCHEMES = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'filesystem:', 'about:'],
  ...['view-source:', 'jar:', 'intent:'],
]);
/** Browsers drop some of these before they read the scheme. */
const CONTROL = /\p{Cc}/u;

/** Tells whether an application may name this as its redirect_uri; most things will do (docs/decisions/0020). */
export const isRedirectUri = (text: string): boolean =>
  !CONTROL.test(text) && !REFUSED_SCHEMES.has(parsedUrl(text)?.protocol ?? '');

/** Where a browser is sent; undefined for `/` or `not_needed`, which name no place. */
export const redirectTarget = (redirectUri: string): string | undefined =>
  isRedirectUri(redirectUri) && parsedUrl(redirectUri) ? redirectUri : undefined;

/** What browsers make of an address: a host in ASCII letters, everything that could deceive a reader escaped. */
export const shownAddress = (target: string): string => new URL(target).href;

/** An address of a host, or of a custom scheme with an authority; other text, such as `/`, names no place. */
export const namesPlace = (redirectUri: string): boolean => authorityOf(redirectUri).host !== '';

/**
 * Tells whether a browser may bring this redirect_uri to a request with that one: applications put the code into
 * the query, write another path or a slash more, or name no place with the request at all (docs/decisions/0038).
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
  /** URL.origin is null for custom schemes. */
  readonly origin: string;
  /** Shown before the host, so that it can pass for one. */
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
