import type { Request } from 'express';

/** Matches valid values of a `Host` header. Other values are never repeated in a response. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Returns the configured address of the service, without a trailing slash. If none is configured, returns the address
 * that the client requested.
 */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: URL | undefined,
): string {
  const called = HOST.test(host) ? `${protocol}://${host}` : '';
  return publicUrl === undefined ? called : addressIn(publicUrl);
}

/** Returns the text of an address without a trailing slash, so that a path can be appended. */
export const addressIn = ({ origin, pathname }: URL): string =>
  `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
