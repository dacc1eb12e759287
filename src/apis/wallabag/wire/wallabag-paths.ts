/**
 * The base path for apps made for wallabag. Users type it as part of the server address, and the apps append their
 * paths.
 */
export const WALLABAG_BASE = '/wallabag';

const BELOW = new RegExp(`^${WALLABAG_BASE}(?:/|$)`);
const CALLS = new RegExp(`^${WALLABAG_BASE}/(?:api|oauth)(?:/|$)`);
const BODIES_OF_ENTRIES = new RegExp(`^${WALLABAG_BASE}/api/entries(?:[/.]|$)`);

/**
 * Returns true for every path below the base path, including web pages. Errors at these paths have the format that
 * wallabag's clients parse.
 */
export const isWallabagPath = (path: string): boolean => BELOW.test(path);

/** Returns true for API calls of wallabag's clients, and false for web pages. */
export const isWallabagCall = (path: string): boolean => CALLS.test(path);

/** Returns true if a call to this path may contain the content of a page. */
export const takesContent = (path: string): boolean => BODIES_OF_ENTRIES.test(path);

const DIGITS = /^\d{1,10}$/;
const LARGEST = 2 ** 31 - 1;

/** Parses the numeric id of an entry, a tag or an annotation. Returns undefined if the id is invalid. */
export function numberIn(text: string): number | undefined {
  const number = DIGITS.test(text) ? Number(text) : 0;
  return number >= 1 && number <= LARGEST ? number : undefined;
}

/** The HTTP methods of the wallabag API. OPTIONS is for the preflight requests of browsers. */
export const WALLABAG_METHODS: readonly string[] = [
  ...['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
];
