import type { NextFunction, Request, Response } from 'express';

const HEADER = 'x-forwarded-for';
/** `203.0.113.7:4711` and `[2001:db8::7]:4711`, as some proxies write them. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Takes ports from forwarded addresses: each connection of a client would be another client to the limits. */
export function forwardedWithoutPorts(
  { headers }: Request,
  _response: Response,
  next: NextFunction,
): void {
  const forwarded = headers[HEADER];
  if (typeof forwarded === 'string' && forwarded.includes(':')) {
    headers[HEADER] = forwarded
      .split(',')
      .map((address) => address.trim().replace(WITH_PORT, '$1$2'))
      .join(', ');
  }
  next();
}
