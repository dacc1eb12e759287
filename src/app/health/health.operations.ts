import type { SchemaObject } from 'openapi3-ts/oas31';

import { type Operation, ref } from '../../platform/common/openapi.js';

const PARTS: SchemaObject = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      status: { enum: ['up', 'down'] },
      reason: { type: 'string', description: 'Why the part is down.' },
    },
    required: ['status'],
  },
};

const HEALTH: SchemaObject = {
  type: 'object',
  properties: {
    status: { const: 'ok' },
    info: { ...PARTS, description: 'What is well, by name.' },
    error: { ...PARTS, description: 'What is not.' },
    details: { ...PARTS, description: 'Both.' },
  },
  required: ['status', 'info', 'error', 'details'],
};

const UP = { accepting: { status: 'up' }, database: { status: 'up' }, writes: { status: 'up' } };

const healthOperation = (
  facts: Pick<Operation, 'id' | 'summary' | 'description' | 'errors'>,
  parts: Readonly<Record<string, unknown>>,
): Operation => ({
  ...facts,
  tag: 'Service',
  security: [],
  answer: {
    status: 200,
    description: 'All is well.',
    content: { 'application/json': ref('Health') },
    example: { status: 'ok', info: parts, error: {}, details: parts },
  },
  dialect: 'account',
  schemas: { Health: HEALTH },
});

export const LIVE = healthOperation(
  {
    id: 'health',
    summary: 'Whether the process answers',
    description: 'The supervisor of the process restarts it when this fails.',
    errors: [],
  },
  {},
);

export const READY = healthOperation(
  {
    id: 'ready',
    summary: 'Whether requests can be served',
    description:
      'The load balancer leaves this instance out when this fails. While the disk of the database is full, reads are served: the answer is 200, and `error.writes` has the reason.',
    errors: ['not_ready'],
  },
  UP,
);
