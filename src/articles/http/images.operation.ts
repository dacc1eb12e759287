import type { SchemaObject } from 'openapi3-ts/oas31';

import type { Operation } from '../../common/openapi/operation.js';

const PICTURE: SchemaObject = { type: 'string', contentEncoding: 'binary' };

/** A day: the addresses of pictures that were replaced are others. */
export const IMAGE_CACHING = 'private, max-age=86400, immutable';

export const IMAGE_OPERATION: Operation = {
  id: 'image',
  tag: 'Reading list',
  summary: 'A picture of an article',
  description:
    'The addresses stand in `images` of `/v3beta/text` and `/api/kobo/download`, and are signed: no other picture can be asked for. The picture is at most 1264 pixels wide and 1680 high.',
  security: [],
  pathParameters: {
    page: { type: 'string', pattern: String.raw`^\d{1,18}$`, description: 'The page.' },
    image: { type: 'string', pattern: String.raw`^[1-9]\d{0,2}$`, description: 'Its number.' },
    signature: { type: 'string', pattern: String.raw`^[\w-]{32}$`, description: 'The signature.' },
  },
  answer: {
    status: 200,
    description: 'The picture.',
    headers: {
      'Cache-Control': {
        description: 'A picture may be kept for a day.',
        schema: { const: IMAGE_CACHING },
      },
    },
    content: { 'image/jpeg': PICTURE, 'image/png': PICTURE },
  },
  errors: ['not_found', 'internal_error', 'service_busy', 'database_unavailable'],
  dialect: 'account',
};
