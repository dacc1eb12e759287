import type { Operation } from '../../common/openapi/operation.js';

type Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'answer'> & Partial<Operation>;

const operation = (facts: Facts): Operation => ({
  tag: 'Service',
  security: [],
  errors: [],
  dialect: 'account',
  ...facts,
});

const PAGE_POLICY = {
  'Content-Security-Policy': {
    description: 'The page may run and show what this service serves, and nothing else.',
    schema: { type: 'string' },
  },
} as const;

export const DOCUMENT = operation({
  id: 'openapi',
  summary: 'This document',
  description: 'The description of the service for programs, in OpenAPI 3.1.',
  answer: {
    status: 200,
    description: 'An OpenAPI document.',
    content: {
      'application/json': {
        type: 'object',
        properties: { openapi: { type: 'string', pattern: String.raw`^3\.1\.` } },
        required: ['openapi', 'info', 'paths', 'components'],
        additionalProperties: true,
      },
    },
  },
});

export const PAGE = operation({
  id: 'docs',
  summary: 'This document for people',
  description:
    'A page that shows the document and can send its calls. It needs nothing from elsewhere.',
  answer: {
    status: 200,
    description: 'A page.',
    content: { 'text/html': { type: 'string' } },
    headers: PAGE_POLICY,
  },
});

/** `names` are those of the files. */
export const assetOperation = (names: readonly string[]): Operation =>
  operation({
    id: 'docs.asset',
    summary: 'A part of the page for people',
    description: 'Its script, its style sheet or its icon.',
    pathParameters: {
      asset: { type: 'string', enum: [...names], description: 'The name of the file.' },
    },
    answer: {
      status: 200,
      description: 'The file.',
      content: {
        'text/javascript': { type: 'string' },
        'text/css': { type: 'string' },
        'image/png': { contentMediaType: 'image/png' },
      },
      headers: PAGE_POLICY,
    },
    errors: ['not_found'],
  });
