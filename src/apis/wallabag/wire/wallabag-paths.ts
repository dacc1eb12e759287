/** Where wallabag's clients find this service: they are told this address, and add their paths to it. */
export const WALLABAG_BASE = '/wallabag';

const BELOW = new RegExp(`^${WALLABAG_BASE}(?:/|$)`);
const CALLS = new RegExp(`^${WALLABAG_BASE}/(?:api|oauth)(?:/|$)`);
const BODIES_OF_ENTRIES = new RegExp(`^${WALLABAG_BASE}/api/entries(?:[/.]|$)`);

/** Everything below the base path, the pages too: its errors have the shape that wallabag's clients read. */
export const isWallabagPath = (path: string): boolean => BELOW.test(path);

/** What clients call, not what people see. */
export const isWallabagCall = (path: string): boolean => CALLS.test(path);

/** Where a call may bring the content of a page. */
export const takesContent = (path: string): boolean => BODIES_OF_ENTRIES.test(path);

const DIGITS = /^\d{1,10}$/;
const LARGEST = 2 ** 31 - 1;

/** The number that a path has for an entry, a tag or an annotation; undefined for what cannot be one. */
export function numberIn(text: string): number | undefined {
  const number = DIGITS.test(text) ? Number(text) : 0;
  return number >= 1 && number <= LARGEST ? number : undefined;
}

/** The methods of a browser's question come first, then those that the API needs. */
export const WALLABAG_METHODS: readonly string[] = [
  ...['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
];
