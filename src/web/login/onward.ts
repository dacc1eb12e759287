import { textOf } from '../../platform/common/request-fields.js';
import { type AuthorizationLink, linkIn, pathWith } from '../account/authorization-link.js';
import { localPath, localUrl, pathOf } from '../local-path.js';

/** Where a person is going on to after logging in: it is carried along until then. */
export interface Onward {
  readonly link?: AuthorizationLink | undefined;
  /** A path of this service. */
  readonly next?: string | undefined;
}

/** More than this does not fit into every address. */
const MAX_IN_ADDRESS = 4000;

export const onwardIn = (fields: unknown): Onward => ({
  link: linkIn(fields),
  next: localPath(textOf(fields, 'next')),
});

export const fitsIntoAddress = ({ next = '' }: Onward): boolean =>
  encodeURIComponent(next).length <= MAX_IN_ADDRESS;

/** The address of a page on the way. */
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

/** The end of the way: the application's request, the page that was opened, or the list. */
export const destinationOf = ({ link, next = '/list' }: Onward): string =>
  link === undefined ? asking(next) : pathWith('/auth/authorize', link);

/** The login hides which site an address comes from: an address that saves must ask first. */
function asking(path: string): string {
  const url = path.startsWith('/save?') ? localUrl(path) : undefined;
  url?.searchParams.set('ask', '1');
  return url === undefined ? path : pathOf(url);
}
