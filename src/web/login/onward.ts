import { textOf } from '../../platform/common/request-fields.js';
import { type AuthorizationLink, linkIn, pathWith } from '../account/authorization-link.js';
import { localPath, localUrl, pathOf } from '../local-path.js';

/** The destination of a person after a login. The login pages pass the destination on until the login is complete. */
export interface Onward {
  readonly link?: AuthorizationLink | undefined;
  /** The page to open after the login, as a path of this service. */
  readonly next?: string | undefined;
}

/** The hidden fields that pass the destination and a kept form on to the next login page (views/form-secrets.eta). */
export interface OnwardFields extends Onward {
  /** The form that the person sent after the session had ended, as JSON (kept-form.ts). */
  readonly kept?: string | undefined;
}

/**
 * The maximum length of the destination in the query of an address. Proxies and servers may reject longer addresses.
 */
const MAX_IN_ADDRESS = 4000;

export const onwardIn = (fields: unknown): Onward => ({
  link: linkIn(fields),
  next: localPath(textOf(fields, 'next')),
});

export const fitsIntoAddress = ({ next = '' }: Onward): boolean =>
  encodeURIComponent(next).length <= MAX_IN_ADDRESS;

/** Returns the address of a login page, with the destination in its query. */
export function pathTo(
  path: '/auth/login' | '/auth/oidc/start' | '/auth/register',
  onward: Onward,
): string {
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
 * Adds the parameter `ask` to an address of the save page, so that the save page asks for confirmation. After a login,
 * the service cannot check which site linked to the save page.
 */
function asking(path: string): string {
  const url = path.startsWith('/save?') ? localUrl(path) : undefined;
  url?.searchParams.set('ask', '1');
  return url === undefined ? path : pathOf(url);
}
