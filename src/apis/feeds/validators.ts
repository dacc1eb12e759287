import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Values that distinguish the states of a resource (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string;
  /** The time of the latest change. Absent while this time is in the future. */
  readonly lastModified?: Date;
}

/** The inputs that determine a representation. */
interface Origin {
  /** All inputs except the version of the list. */
  readonly facts: readonly string[];
  readonly version: number;
  /** The time of the latest change, in unix seconds. */
  readonly changedAt: number;
}

/**
 * Returns the validators of a representation. The version of a list is the second of its latest change, or a later
 * second if one second had several changes. A date in the future is omitted, so that no two states have the same date.
 */
export function validatorsOf({ facts, version, changedAt }: Origin, now: number): Validators {
  const etag = `"${hash('sha256', JSON.stringify([version, ...facts]), 'base64url')}"`;
  return changedAt > now ? { etag } : { etag, lastModified: new Date(changedAt * 1000) };
}

/** Returns true if the client already has this state. Ignores `If-Modified-Since` if `If-None-Match` is present. */
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
