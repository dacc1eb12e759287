/**
 * Matches a URL fragment that identifies a page of a web application, such as `#/notes/1` or
 * `#!notes`. Excludes trailing slashes. The expression works in JavaScript and in PostgreSQL.
 */
const ROUTE = '#[!/].*[^/]';

/**
 * A PostgreSQL regular expression for addresses whose fragment identifies a page, as in
 * `https://app.example/#/notes/1`.
 */
export const WITH_ROUTE_IN_SQL = `^[^#]*${ROUTE}`;

const WHOLE_ROUTE = new RegExp(`^${ROUTE}`);

/** Separates the fragment of a URL from instructions to the browser, such as a text to highlight. */
const DIRECTIVE = ':~:';

/**
 * Returns the fragment of a URL, with its `#`, if it identifies a page of a web application.
 * Otherwise, returns "" (docs/decisions/0095).
 */
export function routeIn({ hash }: URL): string {
  const [fragment = ''] = hash.split(DIRECTIVE, 1);
  return WHOLE_ROUTE.exec(fragment)?.[0] ?? '';
}
