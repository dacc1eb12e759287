import { parsedUrl } from '../../lib/util/parsed-url.js';
/**
 * URL schemes that a redirect URI must not have. A browser handles addresses with these schemes itself, for example by
 * running a script, instead of returning the person to an application.
 */
const REFUSED_SCHEMES = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'filesystem:', 'about:'],
  ...['view-source:', 'jar:', 'intent:'],
]);
/**
 * Matches a control character. A redirect URI must not contain one: browsers remove some control characters from an
 * address, and the remaining address could begin with one of REFUSED_SCHEMES.
 */
const CONTROL = /\p{Cc}/u;

/**
 * Returns true if an application can use the text as its redirect URI. Almost any text is allowed
 * (docs/decisions/0020).
 */
export const isRedirectUri = (text: string): boolean =>
  !CONTROL.test(text) && !REFUSED_SCHEMES.has(parsedUrl(text)?.protocol ?? '');

/**
 * Returns the redirect URI if a browser can be redirected to it. Returns undefined for a text that is not an absolute
 * URL. For example, `/` and `not_needed` are not absolute URLs.
 */
export const redirectTarget = (redirectUri: string): string | undefined =>
  isRedirectUri(redirectUri) && parsedUrl(redirectUri) ? redirectUri : undefined;

/**
 * Returns an address as browsers show it: the host is in ASCII, and characters that could deceive a reader are escaped.
 */
export const shownAddress = (target: string): string => new URL(target).href;

/**
 * Returns true if the redirect URI is a URL with a host. The scheme can be any scheme, such as the custom scheme of an
 * app.
 */
export const namesPlace = (redirectUri: string): boolean => authorityOf(redirectUri).host !== '';

/**
 * Returns true if the redirect URI `given` that the browser sent is acceptable for a request for access. `redirectUri`
 * is the redirect URI of the stored request. The two may differ, because some applications append the code to the
 * query, change the path, add a slash, or store no address (docs/decisions/0038).
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
  /** The scheme and the host of the address. `URL.origin` is not used, because it is `"null"` for custom schemes. */
  readonly origin: string;
  /**
   * The user name and the password in the address. Browsers show them before the host, so a person can mistake them for
   * the host.
   */
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
