import type { Request } from 'express';

/** What may stand in a `Host` header; other values are not repeated. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/** The address of the service, without a slash at its end: as configured, else as it was called. */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: URL | undefined,
): string {
  const called = HOST.test(host) ? `${protocol}://${host}` : '';
  return publicUrl === undefined ? called : addressIn(publicUrl);
}

/** The text of an address without a slash at its end, so that paths can follow. */
export const addressIn = ({ origin, pathname }: URL): string =>
  `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
