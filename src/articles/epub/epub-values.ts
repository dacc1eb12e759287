import { isIP } from 'node:net';

import { parsedUrl } from '../../lib/util/parsed-url.js';

const OF_NO_URI = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g;
const NO_ESCAPE = /%(?![\dA-Fa-f]{2})/g;
const MAIL = /^mailto:[\w.!#$&'*+/=^`{|}~-]+@[\w.-]+$/i;

/**
 * Returns the address as a URI with only the characters that RFC 3986 allows. Returns undefined if the address is not a
 * web or mail address.
 */
export function uriOf(address: string): string | undefined {
  if (MAIL.test(address)) {
    return encoded(address);
  }
  const url = /^https?:\/\//i.test(address) ? parsedUrl(address.toWellFormed()) : undefined;
  if (url === undefined) {
    return undefined;
  }
  const { protocol, host, hostname, pathname, search, hash } = url;
  const rest = `${pathname}${search}`.replaceAll('#', '%23') + fragmentOf(hash);
  return isHost(hostname) ? `${protocol}//${host}${encoded(rest)}` : undefined;
}

const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

/**
 * Returns true for a valid host name (RFC 2396 section 3.2.2). E-book readers reject other names, such as
 * `a_b.example`, although browsers open them.
 */
function isHost(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.');
  return (
    isIP(name.replaceAll(/^\[|\]$/g, '')) !== 0 ||
    (labels.every((label) => LABEL.test(label)) && /^[a-z]/i.test(labels.at(-1) ?? ''))
  );
}

const fragmentOf = (hash: string): string =>
  hash === '' ? '' : `#${hash.slice(1).replaceAll('#', '%23')}`;

const encoded = (text: string): string =>
  text
    .replaceAll(NO_ESCAPE, '%25')
    .replaceAll(OF_NO_URI, (sign) => encodeURIComponent(sign.toWellFormed()))
    .replaceAll(/[[\]]/g, (sign) => (sign === '[' ? '%5B' : '%5D'));

/** Returns the language as a BCP 47 tag. Returns undefined if the text is not a language. */
export function languageOf(text: string): string | undefined {
  try {
    return /^[a-z]{2,3}(?:[-_]|$)/i.test(text)
      ? Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0]
      : undefined;
  } catch {
    return undefined;
  }
}
