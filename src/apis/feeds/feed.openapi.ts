import type { HeadersObject, SchemaObject } from 'openapi3-ts/oas31';

import type { Operation } from '../../platform/common/openapi.js';
import { text } from '../../platform/common/openapi.js';
import { ATOM_TYPE } from './atom.presenter.js';
import { JSON_FEED_TYPE } from './json-feed.presenter.js';

/** The `Cache-Control` header of feeds. Clients may cache a feed, but must revalidate it before each use. */
export const FEED_CACHING = 'private, no-cache';
export const NOT_INDEXED = 'noindex';

const TOKEN: SchemaObject = {
  type: 'string',
  pattern: String.raw`^[\w-]{48}$`,
  description: 'The secret part of the address.',
};

const FEED_HEADERS: HeadersObject = {
  'Cache-Control': {
    description: 'Kept, and asked for anew each time.',
    schema: { const: FEED_CACHING },
  },
  ETag: {
    description: 'For `If-None-Match`, which is answered with 304 while the list stays as it is.',
    schema: { type: 'string' },
  },
  'Last-Modified': {
    description: 'For `If-Modified-Since`; absent for a second after a change.',
    schema: { type: 'string' },
  },
  'X-Robots-Tag': {
    description: 'No search engine lists a feed.',
    schema: { const: NOT_INDEXED },
  },
};

const JSON_FEED: SchemaObject = {
  type: 'object',
  description: 'A feed in JSON Feed 1.1.',
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text('What the feed shows.'),
    home_page_url: text('The list, for people.'),
    feed_url: text('The address of the feed.'),
    items: { type: 'array', items: { type: 'object' }, description: 'The latest 50.' },
  },
  required: ['version', 'title', 'home_page_url', 'feed_url', 'items'],
};

const COMMON = {
  tag: 'Reading list',
  security: [],
  answer: {
    status: 200,
    description: 'The feed.',
    headers: FEED_HEADERS,
    content: { [ATOM_TYPE]: { type: 'string' }, [JSON_FEED_TYPE]: JSON_FEED },
  },
  errors: ['not_found', 'internal_error', 'service_busy', 'database_unavailable'],
  dialect: 'account',
} as const satisfies Partial<Operation>;

export const FEED_OPERATION: Operation = {
  ...COMMON,
  id: 'feed',
  summary: 'A feed of the list',
  description:
    'The addresses are shown at `/account`, where they are made and revoked: who knows one may read the feed. A token that is unknown or revoked is answered like an address where nothing is.',
  pathParameters: {
    token: TOKEN,
    file: {
      type: 'string',
      pattern: String.raw`^(?:unread|archive|favorites)\.(?:atom|json)$`,
      description: 'The list and the format: Atom (RFC 4287), or JSON Feed 1.1.',
    },
  },
};

export const TAG_FEED_OPERATION: Operation = {
  ...COMMON,
  id: 'tagFeed',
  summary: 'A feed of a tag',
  description: 'The items with a tag, unread and archived ones. A tag that no item has is empty.',
  pathParameters: {
    token: TOKEN,
    file: {
      type: 'string',
      pattern: String.raw`\.(?:atom|json)$`,
      description: 'The name of the tag, percent-encoded, and the format.',
    },
  },
};
