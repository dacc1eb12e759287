import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The headers with which a client can check whether a resource has changed (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string;
  /** The time of the latest change. Undefined if this time is in the future. */
  readonly lastModified?: Date;
}

/** The values from which the ETag and the date of a response are computed. */
interface Origin {
  /** All values that determine the content of the response, except the version of the list. */
  readonly facts: readonly string[];
  readonly version: number;
  /** The time of the latest change, in Unix seconds. */
  readonly changedAt: number;
}

/**
 * Returns the ETag and the `Last-Modified` date of a response. Omits a date in the future, because
 * HTTP does not allow it. The version of a list is a time in seconds. After several changes in one
 * second, the version is in the future, because each change increases it by at least one.
 */
export function validatorsOf({ facts, version, changedAt }: Origin, now: number): Validators {
  const etag = `"${hash('sha256', JSON.stringify([version, ...facts]), 'base64url')}"`;
  return changedAt > now ? { etag } : { etag, lastModified: new Date(changedAt * 1000) };
}

/**
 * Returns true if the client already has the current state of the resource. Ignores `If-Modified-Since` if
 * `If-None-Match` is present.
 */
export function isCurrent(
  { 'if-none-match': known, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, lastModified }: Validators,
): boolean {
  if (known !== undefined) {
    return known.split(',').some((one) => isMatch(one.trim(), etag));
  }
  return (
    since !== undefined && lastModified !== undefined && lastModified.getTime() <= Date.parse(since)
  );
}

const isMatch = (known: string, etag: string): boolean =>
  known === '*' || known.replace(/^W\//, '') === etag;
