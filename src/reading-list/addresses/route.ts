/**
 * Matches the fragment of a URL that identifies a page of an application: `#!` or `#/`, and at least one character that
 * is not a slash. Trailing slashes are not part of the route. PostgreSQL interprets the expression in the same way.
 */
const ROUTE = '#[!/].*[^/]';

/** A regular expression of PostgreSQL that matches an address with a route. */
export const WITH_ROUTE_IN_SQL = `^[^#]*${ROUTE}`;

const WHOLE_ROUTE = new RegExp(`^${ROUTE}`);

/** The separator between a fragment and instructions to the browser, such as a text to highlight. */
const DIRECTIVE = ':~:';

/** Returns the route in the fragment of a URL, with its `#`. Returns "" if there is no route (docs/decisions/0095). */
export function routeIn({ hash }: URL): string {
  const [fragment = ''] = hash.split(DIRECTIVE, 1);
  return WHOLE_ROUTE.exec(fragment)?.[0] ?? '';
}
