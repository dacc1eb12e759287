import { parsedUrl } from '../../lib/util/parsed-url.js';
/**
 * URL schemes that a redirect URI must not have. A browser would not open an application for these
 * schemes, but for example run a script.
 */
const REFUSED_SCHEMES = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'filesystem:', 'about:'],
  ...['view-source:', 'jar:', 'intent:'],
]);
/**
 * Matches a control character, which a redirect URI must not contain. A browser may ignore the
 * control character in `java\nscript:` and then run the script.
 */
const CONTROL = /\p{Cc}/u;

/**
 * Returns true if an application can use the text as its redirect URI. Almost any text is allowed
 * (docs/decisions/0020).
 */
export const isRedirectUri = (text: string): boolean =>
  !CONTROL.test(text) && !REFUSED_SCHEMES.has(parsedUrl(text)?.protocol ?? '');

/**
 * Returns the redirect URI if a browser can open it. Returns undefined for a text that is not an
 * absolute URL, such as `/` or `not_needed`.
 */
export const redirectTarget = (redirectUri: string): string | undefined =>
  isRedirectUri(redirectUri) && parsedUrl(redirectUri) ? redirectUri : undefined;

/**
 * Returns an address as browsers show it: with an ASCII host, and with escapes for characters that
 * could deceive a person.
 */
export const shownAddress = (target: string): string => new URL(target).href;

/**
 * Returns true if the redirect URI is a URL with a host. Any scheme is accepted, such as the custom
 * scheme of an app.
 */
export const namesPlace = (redirectUri: string): boolean => authorityOf(redirectUri).host !== '';

/**
 * Returns true if `given` is an acceptable redirect URI for a request that was stored with
 * `redirectUri`. If the stored URI has a host, both must have the same scheme and host. The rest
 * may differ, because some applications change the path or the query (docs/decisions/0038).
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
  /**
   * The scheme and the host of the address. The property `origin` of URL would be `"null"` for
   * custom schemes.
   */
  readonly origin: string;
  /**
   * The user name and the password in the address. Browsers show them before the host, so a person
   * can mistake them for the host.
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
