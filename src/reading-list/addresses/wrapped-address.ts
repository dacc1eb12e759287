/**
 * The maximum number of addresses that are nested in each other, such as a Pocket redirect in the address of a reader
 * mode.
 */
const MAX_DEPTH = 5;
/**
 * The maximum length of an address that contains another one, in UTF-16 units. Percent-encoding makes the inner address
 * up to three times as long.
 */
const MAX_LENGTH = 16_384;

const WEB_ADDRESS = /^https?:\/\//i;

/**
 * Matches an address that contains another address in its parameter `url`. The reader modes of
 * several browsers and the redirects of Pocket use this form.
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

/**
 * Matches the page that The Great Suspender and its forks show for a suspended tab. The expression accepts every
 * extension id, because each fork has another id.
 */
const SUSPENDED = /^(?:[a-z]+-)*extension:\/\/[^?#]*\/suspended\.html[?#](.*)$/is;

/**
 * Returns the web address inside the address of a reader mode, a suspended tab, a source view or a Pocket redirect.
 * Returns any other text unchanged. Unwrapping is idempotent (docs/decisions/0095).
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
  // Removes an additional scheme, as in `http://https://`. The colon or a slash of the second scheme may be missing.
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

/** Returns the decoded value of the parameter `url`. Does not convert plus signs to spaces. */
function parameterIn(query: string | undefined): string | undefined {
  if (query === undefined) {
    return undefined;
  }
  const value = new URLSearchParams(query.replaceAll('+', '%2B')).get('url');
  return value === null ? undefined : withoutControls(value);
}

/**
 * Returns the address of a suspended tab. It is the value of the last parameter, `uri`, and usually
 * not percent-encoded.
 */
function suspendedAddress(fragment = ''): string | undefined {
  const uri = /(?:^|&)uri=(.*)$/s.exec(fragment)?.[1];
  const isEncoded = uri === undefined || /^https?%3a/i.test(uri);
  return isEncoded ? parameterIn(fragment.replace(/(^|&)uri=/, '$1url=')) : uri;
}

/**
 * Removes or encodes control characters, because decoding an address can restore characters that are not allowed in a
 * request or a file.
 */
const withoutControls = (address: string): string =>
  address
    .trim()
    .replaceAll(/[\t\n\r]/g, '')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, encodeURIComponent);
