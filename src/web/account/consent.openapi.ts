import type { ParameterObject } from 'openapi3-ts/oas31';

import type { Operation } from '../../platform/common/openapi.js';

const parameter = (name: string, description: string, isRequired = false): ParameterObject => ({
  name,
  in: 'query',
  required: isRequired,
  description,
  schema: { type: 'string' },
});

export const CONSENT_OPERATION: Operation = {
  id: 'consent',
  tag: 'OAuth',
  summary: 'Ask the person: a page for a browser',
  description:
    'The second step. The application sends the person’s browser here. Who has not logged in is sent to a page to log in or to create an account, and back. Whatever the answer, the browser then goes to `redirect_uri`, to which nothing is appended; the application learns the answer from `/v3/oauth/authorize`. A page says so where the code is unknown (404), expired or used (410), the key is disabled (403), or `redirect_uri` has another origin than that of the request (400).',
  security: [{}, { session: [] }],
  parameters: [
    parameter('request_token', 'The code of `/v3/oauth/request`.', true),
    parameter(
      'redirect_uri',
      'With the origin of that of the request; any address, where that names no place (`not_needed`, `/`). Without it, that of the request.',
    ),
    parameter('force', '`signup` begins with a new account for a person who has not logged in.'),
  ],
  answer: {
    status: 200,
    description: 'A page, with the question or with what was answered.',
    content: { 'text/html': { type: 'string' } },
    headers: {
      'Content-Security-Policy': {
        description: 'Nothing runs in the page, and nothing frames it.',
        schema: { type: 'string' },
      },
    },
  },
  errors: [],
  dialect: 'account',
};
