import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What tells one state of a resource from another (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string;
  /** Absent while it would lie in the future. */
  readonly lastModified?: Date;
}

/** What a representation follows from. */
interface Origin {
  /** What it is made of, beside the version of the list. */
  readonly facts: readonly string[];
  readonly version: number;
  /** Unix seconds. */
  readonly changedAt: number;
}

/**
 * A version of a list is the second of its latest change, or a later one where there were several in a second: a date
 * is only told once it has passed, so that no two states have the same.
 */
export function validatorsOf({ facts, version, changedAt }: Origin, now: number): Validators {
  const etag = `"${hash('sha256', JSON.stringify([version, ...facts]), 'base64url')}"`;
  return changedAt > now ? { etag } : { etag, lastModified: new Date(changedAt * 1000) };
}

/** Whether the client has this state already; an `If-Modified-Since` beside an `If-None-Match` counts for nothing. */
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
