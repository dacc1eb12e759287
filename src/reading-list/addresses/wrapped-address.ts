/** Wrappers in wrappers are unwrapped up to this depth. */
const MAX_DEPTH = 5;
/** Percent-encoding makes an address three times as long at most. */
const MAX_LENGTH = 16_384;

const WEB_ADDRESS = /^https?:\/\//i;

/**
 * Addresses that name another address in the parameter `url`: reader modes of Firefox, Edge, Chrome and Firefox for iOS,
 * and the redirects of Pocket.
 */
const WITH_PARAMETER = new RegExp(
  String.raw`^(?:${[
    'about:reader',
    String.raw`(?:read|chrome-distiller):\/\/[^?#]*`,
    String.raw`http:\/\/localhost:\d+\/reader-mode\/page`,
    String.raw`(?:(?:https?:)?\/\/)?(?:www\.)?getpocket\.com\/redirect\/?`,
  ].join('|')})\?([^#]*)`,
  'i',
);

/** The page of The Great Suspender and of its forks, whose ids differ. */
const SUSPENDED = /^(?:[a-z]+-)*extension:\/\/[^?#]*\/suspended\.html[?#](.*)$/is;

/**
 * Returns the web address inside an address of a reader mode, a suspended tab, a view of the source or a Pocket redirect,
 * else the text. Unwrapping the result again returns the result (docs/decisions/0095).
 */
export function unwrapAddress(text: string): string {
  let innermost = text;
  let current = text;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const inner = innerAddress(current);
    if (inner === undefined) {
      return innermost;
    }
    current = inner;
    innermost = WEB_ADDRESS.test(inner) ? inner : innermost;
  }
  return text;
}

type Unwrap = (text: string) => string | undefined;

const replacing =
  (pattern: RegExp, by: string): Unwrap =>
  (text) =>
    pattern.test(text) ? text.replace(pattern, by) : undefined;

const UNWRAPPERS: readonly Unwrap[] = [
  (text) => parameterIn(WITH_PARAMETER.exec(text)?.[1]),
  (text) => suspendedAddress(SUSPENDED.exec(text)?.[1]),
  replacing(/^(?:view-source:|feed:(?=https?:))/i, ''),
  replacing(/^feed:\/\//i, 'http://'),
  // A scheme in front of an address that has one, whose colon or slash may be missing.
  replacing(/^https?:\/\/(https?)(?::\/\/?|\/\/)/i, '$1://'),
];

function innerAddress(text: string): string | undefined {
  if (text.length > MAX_LENGTH) {
    return undefined;
  }
  for (const unwrap of UNWRAPPERS) {
    const inner = unwrap(text);
    if (inner !== undefined) {
      return inner;
    }
  }
  return undefined;
}

/** A plus sign in an address is a plus sign, although forms encode spaces as such. */
function parameterIn(query: string | undefined): string | undefined {
  if (query === undefined) {
    return undefined;
  }
  const value = new URLSearchParams(query.replaceAll('+', '%2B')).get('url');
  return value === null ? undefined : withoutControls(value);
}

/** `uri` comes last, and most suspenders do not encode it. */
function suspendedAddress(fragment = ''): string | undefined {
  const uri = /(?:^|&)uri=(.*)$/s.exec(fragment)?.[1];
  const isEncoded = uri === undefined || /^https?%3a/i.test(uri);
  return isEncoded ? parameterIn(fragment.replace(/(^|&)uri=/, '$1url=')) : uri;
}

/** Characters that a request or a file may not contain reappear when an address is decoded. */
const withoutControls = (address: string): string =>
  address
    .trim()
    .replaceAll(/[\t\n\r]/g, '')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, encodeURIComponent);
