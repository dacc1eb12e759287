import { parsedUrl } from '../lib/util/parsed-url.js';
/** The base URL for resolving relative addresses. An address that resolves to another origin is rejected. */
export const LOCAL = 'http://satchel.invalid';
/**
 * The maximum length of an address after encoding. Node refuses requests with 16 KB of headers, and proxies refuse
 * responses with such headers.
 */
export const MAX_PATH_LENGTH = 14_000;
/**
 * Matches characters that are not allowed in an address, because browsers treat a backslash as a slash and ignore tabs
 * and line breaks.
 */
const UNSAFE = /[\\\p{Cc}]/u;

/** Parses the address of a page of this service. Returns undefined for an address of another site. */
export function localUrl(text: string): URL | undefined {
  if (!text.startsWith('/') || text.length > MAX_PATH_LENGTH || UNSAFE.test(text)) {
    return undefined;
  }
  const url = parsedUrl(text, LOCAL);
  // `/.//example.com` is a local address, but its normalised path `//example.com` would open another site.
  return url?.origin === LOCAL && !url.pathname.startsWith('//') ? url : undefined;
}

/** Returns the path of a page of this service with query and fragment, for a redirect. */
export const pathOf = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;

/**
 * Returns the path of a page of this service with query and fragment. Returns undefined for an address of another site,
 * and for an address that is too long for a request.
 */
export function localPath(text: string): string | undefined {
  const url = localUrl(text);
  const path = url && pathOf(url);
  return path !== undefined && path.length <= MAX_PATH_LENGTH ? path : undefined;
}
