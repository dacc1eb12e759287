import type { Response } from 'express';

import { installedVersion } from '../../lib/util/version.js';
import { ATOM_TYPE, presentAtom } from './atom.presenter.js';
import type { Feed } from './feed.js';
import { FEED_CACHING, NOT_INDEXED } from './feed.openapi.js';
import type { FeedFormat } from './feed-choice.js';
import { JSON_FEED_TYPE, presentJsonFeed } from './json-feed.presenter.js';
import type { Validators } from './validators.js';

export interface FeedParameters {
  readonly token: string;
  /** The file name in the path, or an array of its parts if the name contains slashes. */
  readonly file: string | readonly string[];
}

const FORMATS = {
  atom: { type: ATOM_TYPE, present: presentAtom },
  json: { type: JSON_FEED_TYPE, present: presentJsonFeed },
} as const satisfies Record<FeedFormat, object>;

/** The version of Satchel. It is part of the ETag, because another version may write a feed differently. */
export const RELEASE = installedVersion();

export const fileNameOf = (file: FeedParameters['file']): string => [file].flat().join('/');

export function setCaching(response: Response): void {
  response.set({ 'Cache-Control': FEED_CACHING, 'X-Robots-Tag': NOT_INDEXED });
}

export function setValidators(response: Response, { etag, lastModified }: Validators): void {
  response.set('ETag', etag);
  if (lastModified !== undefined) {
    response.set('Last-Modified', lastModified.toUTCString());
  }
}

export function sendFeed(response: Response, format: FeedFormat, feed: Feed): void {
  const { type, present } = FORMATS[format];
  response.type(type).send(present(feed));
}
