import type { Request } from 'express';

/** Valid values of a `Host` header. Other values are not repeated in a response. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Returns the address of the service, without a slash at its end: the configured one, or else the one that was
 * requested.
 */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: URL | undefined,
): string {
  const called = HOST.test(host) ? `${protocol}://${host}` : '';
  return publicUrl === undefined ? called : addressIn(publicUrl);
}

/** Returns the text of an address without a slash at its end, so that paths can follow. */
export const addressIn = ({ origin, pathname }: URL): string =>
  `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
