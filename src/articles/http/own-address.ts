import type { Request } from 'express';

/** What may stand in a `Host` header; whatever else is sent there is repeated to nobody. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/** Where the reader reaches the service: as configured, else as it was called. */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: URL | undefined,
): string {
  const called = HOST.test(host) ? `${protocol}://${host}` : '';
  return (publicUrl?.href ?? called).replace(/\/+$/, '');
}
