import type { SchemaObject } from 'openapi3-ts/oas31';

import { type Operation, ref } from '../../platform/common/openapi.js';

const PARTS: SchemaObject = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: {
      status: { enum: ['up', 'down'] },
      reason: { type: 'string', description: 'The reason why the part is down.' },
    },
    required: ['status'],
  },
};

const HEALTH: SchemaObject = {
  type: 'object',
  properties: {
    status: { const: 'ok' },
    info: { ...PARTS, description: 'The parts that are up, by name.' },
    error: { ...PARTS, description: 'The parts that are down, by name.' },
    details: { ...PARTS, description: 'All parts, by name.' },
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
    description: 'The check succeeded.',
    content: { 'application/json': ref('Health') },
    example: { status: 'ok', info: parts, error: {}, details: parts },
  },
  dialect: 'account',
  schemas: { Health: HEALTH },
});

export const LIVE = healthOperation(
  {
    id: 'health',
    summary: 'Check that the process responds',
    description: 'If this check fails, the supervisor should restart the process.',
    errors: [],
  },
  {},
);

export const READY = healthOperation(
  {
    id: 'ready',
    summary: 'Check that the service can answer requests',
    description:
      'If this check fails, the load balancer should skip this instance. While the disk of the database is full, the service can still read lists. In this case, the check returns 200, and `error.writes` contains the reason.',
    errors: ['not_ready'],
  },
  UP,
);
