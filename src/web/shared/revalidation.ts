import { hash } from 'node:crypto';

import type { Request, Response } from 'express';

import { isCurrent } from '../../apis/feeds/validators.js';
import { installedVersion } from '../../lib/util/version.js';
import { Answer } from '../../platform/http/answer.js';

/** The version of Satchel. It is part of the ETag, because another version may show a page differently. */
const RELEASE = installedVersion();

class NotModified extends Answer {
  override sendTo(response: Response): void {
    response.status(304).end();
  }
}

export const NOT_MODIFIED: Answer = new NotModified();

/**
 * Returns true if the client has a response with these facts already. Clients may store the response, but must ask
 * before each use, so that a page disappears as soon as its owner turns it off.
 */
export function isKnown(
  facts: readonly unknown[],
  { headers }: Request,
  response: Response,
): boolean {
  const etag = `"${hash('sha256', JSON.stringify([RELEASE, ...facts]), 'base64url')}"`;
  // The ETag is weak, because a compressed response has the same one.
  response.set({ 'Cache-Control': 'private, no-cache', ETag: `W/${etag}` });
  return isCurrent(headers, { etag });
}
