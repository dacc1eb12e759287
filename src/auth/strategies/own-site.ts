import type { Request } from 'express';

/**
 * Tells whether a page of another site sent the request, whose cookie then proves nothing: browsers name the
 * page's origin with every POST (Fetch standard, "Origin" header), other programs name none.
 */
export function isFromOwnSite({ headers, protocol }: Request, publicUrl: URL | undefined): boolean {
  if (headers.origin === undefined) {
    return true;
  }
  const ownOrigin = publicUrl?.origin ?? `${protocol}://${headers.host ?? ''}`;
  return headers.origin === ownOrigin;
}
