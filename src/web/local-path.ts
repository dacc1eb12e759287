import { parsedUrl } from '../lib/util/parsed-url.js';
/** Any base will do: what leaves it is refused. */
const BASE = 'http://satchel.invalid';
const MAX_LENGTH = 16_000;
/** Browsers read a backslash as a slash, and skip tabs and line breaks. */
const UNSAFE = /[\\\p{Cc}]/u;

/** The page of this service that a text names; undefined for what leads elsewhere. */
export function localUrl(text: string): URL | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH || UNSAFE.test(text)) {
    return undefined;
  }
  const url = parsedUrl(text, BASE);
  // `/.//example.com` is local, and `//example.com` is what it comes to.
  return url?.origin === BASE && !url.pathname.startsWith('//') ? url : undefined;
}

/** The path of a page of this service with its query, as a redirect names it. */
export const pathOf = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;

/** The path of this service that a text names, with its query; undefined for what leads elsewhere. */
export function localPath(text: string): string | undefined {
  const url = localUrl(text);
  return url && pathOf(url);
}
