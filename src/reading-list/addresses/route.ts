/**
 * The part of a fragment that identifies a page of an application: `#!` or `#/`, and at least one character that is not
 * a slash. Trailing slashes are not part of it, as in a path. PostgreSQL interprets the expression in the same way.
 */
const ROUTE = '#[!/].*[^/]';

/** Matches an address with a route, as a regular expression of PostgreSQL. */
export const WITH_ROUTE_IN_SQL = `^[^#]*${ROUTE}`;

const WHOLE_ROUTE = new RegExp(`^${ROUTE}`);

/** Starts instructions to the browser, such as a text to highlight, which are not part of the fragment. */
const DIRECTIVE = ':~:';

/** Returns the route in the fragment of a URL, with its `#`, or "" (docs/decisions/0095). */
export function routeIn({ hash }: URL): string {
  const [fragment = ''] = hash.split(DIRECTIVE, 1);
  return WHOLE_ROUTE.exec(fragment)?.[0] ?? '';
}
