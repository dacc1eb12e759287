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
  description: 'The feed token, which is the secret part of the feed address.',
};

const FEED_HEADERS: HeadersObject = {
  'Cache-Control': {
    description: 'Clients may cache the feed, but must revalidate it before each use.',
    schema: { const: FEED_CACHING },
  },
  ETag: {
    description:
      'The version of the feed. If a request sends this value in `If-None-Match` and the list has not changed, the answer is 304.',
    schema: { type: 'string' },
  },
  'Last-Modified': {
    description:
      'The time of the last change, for `If-Modified-Since`. The header is missing for one second after a change.',
    schema: { type: 'string' },
  },
  'X-Robots-Tag': {
    description: 'Search engines must not index the feed.',
    schema: { const: NOT_INDEXED },
  },
};

const JSON_FEED: SchemaObject = {
  type: 'object',
  description: 'A feed in the format JSON Feed 1.1.',
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text('The title of the feed.'),
    home_page_url: text('The web page of the list.'),
    feed_url: text('The address of the feed.'),
    items: { type: 'array', items: { type: 'object' }, description: 'The latest 50 items.' },
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
  errors: ['bad_request', 'not_found', 'internal_error', 'service_busy', 'database_unavailable'],
  dialect: 'account',
} as const satisfies Partial<Operation>;

export const FEED_OPERATION: Operation = {
  ...COMMON,
  id: 'feed',
  summary: 'Get a feed of the list',
  description:
    'The user can view, create and revoke feed addresses at `/account/devices`. Everyone who knows an address can read the feed. An unknown or revoked token returns the same 404 error as any unknown address.',
  pathParameters: {
    token: TOKEN,
    file: {
      type: 'string',
      pattern: String.raw`^(?:unread|archive|favorites)\.(?:atom|json)$`,
      description:
        'The name of the list, followed by the extension of the format: Atom (RFC 4287) or JSON Feed 1.1.',
    },
  },
};

export const LIST_FEED_OPERATION: Operation = {
  ...COMMON,
  id: 'listFeed',
  summary: 'Get a feed of a saved list',
  description:
    'Returns the newest 50 items of a list that the user has saved under a name, if the user has turned on the feed of the list. The user also chooses whether the feed contains whole articles. The ETag changes with the items, the conditions and the settings of the list. The answer has no `Last-Modified`.',
  pathParameters: {
    token: TOKEN,
    file: {
      type: 'string',
      pattern: String.raw`\.(?:atom|json)$`,
      description: 'The percent-encoded name of the list, followed by the extension of the format.',
    },
  },
};

export const TAG_FEED_OPERATION: Operation = {
  ...COMMON,
  id: 'tagFeed',
  summary: 'Get a feed of a tag',
  description:
    'Returns the unread and archived items with a tag. If no item has the tag, the feed is empty.',
  pathParameters: {
    token: TOKEN,
    file: {
      type: 'string',
      pattern: String.raw`\.(?:atom|json)$`,
      description: 'The percent-encoded name of the tag, followed by the extension of the format.',
    },
  },
};
