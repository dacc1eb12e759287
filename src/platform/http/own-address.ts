import type { Request } from 'express';

import { parsedUrl } from '../../lib/util/parsed-url.js';

/** Matches valid values of a `Host` header. Other values are never repeated in a response. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
/** The maximum length of a host: a name of 253 characters, a final dot, a colon and a port. */
const MAX_HOST_LENGTH = 260;

/**
 * Returns the configured address of the service, without a trailing slash. If none is configured, returns the address
 * that the client requested, or an empty string if this address is invalid.
 */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: URL | undefined,
): string {
  if (publicUrl !== undefined) {
    return addressIn(publicUrl);
  }
  const called = `${protocol}://${host}`;
  return isHost(host) && parsedUrl(called) !== undefined ? called : '';
}

const isHost = (host: string): boolean => host.length <= MAX_HOST_LENGTH && HOST.test(host);

/** Returns the text of an address without a trailing slash, so that a path can be appended. */
export const addressIn = ({ origin, pathname }: URL): string =>
  `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
