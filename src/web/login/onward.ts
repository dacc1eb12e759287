import { textOf } from '../../platform/common/request-fields.js';
import {
  type AuthorizationLink,
  linkIn,
  type OnwardPath,
  pathWith,
} from '../account/authorization-link.js';
import { localPath, localUrl, MAX_PATH_LENGTH, pathOf } from '../local-path.js';

/** The page to open after a login. The login pages pass it on until the login is complete. */
export interface Onward {
  readonly link?: AuthorizationLink | undefined;
  /** The page to open after the login, as a path of this service. */
  readonly next?: string | undefined;
}

/**
 * The hidden fields of a login page (views/form-secrets.eta): the page to open after the login, and
 * a kept form.
 */
export interface OnwardFields extends Onward {
  /** The form that the person sent after the session had ended, as JSON (kept-form.ts). */
  readonly kept?: string | undefined;
}

/**
 * The maximum length of the encoded path to open after the login, if it is passed in the query of
 * an address. Proxies and servers may reject longer addresses.
 */
const MAX_IN_ADDRESS = 4000;

/** Reads the page to open after the login from a form or a query. Ignores an address that is too long for a request. */
export function onwardIn(fields: unknown): Onward {
  const link = linkIn(fields);
  const fits = pathWith('/auth/authorize', link).length <= MAX_PATH_LENGTH;
  return { link: fits ? link : undefined, next: localPath(textOf(fields, 'next')) };
}

export const fitsIntoAddress = ({ next = '' }: Onward): boolean =>
  encodeURIComponent(next).length <= MAX_IN_ADDRESS;

/** Returns the address of a login page. The query contains the page to open after the login. */
export function pathTo(path: OnwardPath, onward: Onward): string {
  const { link, next } = onward;
  if (link !== undefined || next === undefined || !fitsIntoAddress(onward)) {
    return pathWith(path, link);
  }
  return `${path}?${new URLSearchParams({ next }).toString()}`;
}

/**
 * Returns the path of the page to open after the login: the consent page of an application's request, the page that was
 * opened before the login, or the list.
 */
export const destinationOf = ({ link, next = '/list' }: Onward): string =>
  link === undefined ? asking(next) : pathWith('/auth/authorize', link);

/**
 * Adds the parameter `ask` to an address of the save page, so that the save page asks for
 * confirmation. Another site may have linked to the save page, which cannot be detected after a
 * login.
 */
function asking(path: string): string {
  const url = path.startsWith('/save?') ? localUrl(path) : undefined;
  url?.searchParams.set('ask', '1');
  // The new query may be longer, because URLSearchParams encodes more characters.
  return url === undefined ? path : (localPath(pathOf(url)) ?? '/list');
}
