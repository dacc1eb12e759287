import { textOf } from '../../platform/common/request-fields.js';
import { type AuthorizationLink, linkIn, pathWith } from '../account/authorization-link.js';
import { localPath, localUrl, pathOf } from '../local-path.js';

/** The destination of a person after a login. Pages carry it along until then. */
export interface Onward {
  readonly link?: AuthorizationLink | undefined;
  /** A path of this service. */
  readonly next?: string | undefined;
}

/** Longer text does not fit into every address. */
const MAX_IN_ADDRESS = 4000;

export const onwardIn = (fields: unknown): Onward => ({
  link: linkIn(fields),
  next: localPath(textOf(fields, 'next')),
});

export const fitsIntoAddress = ({ next = '' }: Onward): boolean =>
  encodeURIComponent(next).length <= MAX_IN_ADDRESS;

/** Returns the address of a page on the way to the destination. */
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

/** Returns the destination: the application's request, the page that was opened, or the list. */
export const destinationOf = ({ link, next = '/list' }: Onward): string =>
  link === undefined ? asking(next) : pathWith('/auth/authorize', link);

/** The login hides the site that an address comes from. So an address that saves a page must ask first. */
function asking(path: string): string {
  const url = path.startsWith('/save?') ? localUrl(path) : undefined;
  url?.searchParams.set('ask', '1');
  return url === undefined ? path : pathOf(url);
}
