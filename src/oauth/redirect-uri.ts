/** What runs, shows or opens something of its own instead of handing the person back to an application. */
const REFUSED_SCHEMES = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'filesystem:', 'about:'],
  ...['view-source:', 'jar:', 'intent:'],
]);
/** Browsers drop some of these before they read the scheme. */
const CONTROL = /\p{Cc}/u;

/** Tells whether an application may name this as its redirect_uri; most things will do (docs/decisions/0020). */
export const isRedirectUri = (text: string): boolean =>
  !CONTROL.test(text) && !(URL.canParse(text) && REFUSED_SCHEMES.has(new URL(text).protocol));

/** Where a browser is sent; undefined for `/` or `not_needed`, which name no place. */
export const redirectTarget = (redirectUri: string): string | undefined =>
  isRedirectUri(redirectUri) && URL.canParse(redirectUri) ? redirectUri : undefined;

/**
 * Tells whether the redirect_uri of a browser is that of the request. Nothing is appended at the end of the flow,
 * so applications on the web put the code into the query of their own before they send the person here.
 */
export const isOfRequest = (given: string, redirectUri: string): boolean =>
  isRedirectUri(given) &&
  (given === redirectUri ||
    given.startsWith(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}`));
