const MAX_LENGTH = 6000;
const HERE = 'http://here.invalid';
/** Browsers read a backslash as a slash, and skip tabs and line breaks. */

const FOREIGN = /^\/[/\\]|[\\\u0000-\u001f\u007f]/;

/** A path of this service with its query, as a form names where to go; undefined for all that may lead elsewhere. */
export function localPath(text: string): URL | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH || FOREIGN.test(text)) {
    return undefined;
  }
  const url = URL.canParse(text, HERE) ? new URL(text, HERE) : undefined;
  // `/.//elsewhere` becomes `//elsewhere`.
  return url?.origin === HERE && !url.pathname.startsWith('//') ? url : undefined;
}

/** What a redirect names. */
export const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
