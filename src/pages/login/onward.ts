import { createHash } from 'node:crypto';

import type { Request } from 'express';

import { textOf } from '../../common/parse-request.js';
import { type AuthorizationLink, linkIn, pathWith } from '../account/authorization-link.js';
import { localPath, localUrl, pathOf } from '../local-path.js';

declare module 'express-session' {
  interface SessionData {
    /** Which address a person opened without a login, and no other site did. */
    ownVisit?: string;
  }
}

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

/**
 * The end of the way: the application's request, the page that was opened, or the list. The way itself has made an
 * address look as if a page of this site had opened it; what saves by its address alone asks first then.
 */
export function destinationOf({ link, next = '/list' }: Onward, { session }: Request): string {
  if (link !== undefined) {
    return pathWith('/auth/authorize', link);
  }
  return session.ownVisit === digestOf(next) ? next : asking(next);
}

/** What only a question can tell from an address of another site. */
function asking(path: string): string {
  const url = savesAtOnce(path) ? localUrl(path) : undefined;
  url?.searchParams.set('ask', '1');
  return url === undefined ? path : pathOf(url);
}

/** Remembers that the person opened this address, which no other site did. */
export function noteOwnVisit({ session }: Request, path: string): void {
  if (savesAtOnce(path)) {
    session.ownVisit = digestOf(path);
  }
}

const savesAtOnce = (path: string): boolean => path.startsWith('/save?');

const digestOf = (path: string): string => createHash('sha256').update(path).digest('base64url');
