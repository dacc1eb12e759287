import type { ParameterObject } from 'openapi3-ts/oas31';

import type { Operation } from '../../../platform/common/openapi.js';

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
  summary: 'Show the consent page in a browser',
  description:
    'The second step. The application opens this page in the browser of the user. If the user is not logged in, the page redirects to the login or the registration, and then back. After the answer, the browser opens `redirect_uri`, unchanged. The application gets the result from `/v3/oauth/authorize`.',
  security: [{}, { session: [] }],
  parameters: [
    parameter('request_token', 'The code of `/v3/oauth/request`.', true),
    parameter(
      'redirect_uri',
      'An address with the same origin as the `redirect_uri` of the code request. If that value has no origin (`not_needed`, `/`), any address is allowed. The default is the `redirect_uri` of the code request.',
    ),
    parameter(
      'force',
      '`signup`: a user who is not logged in gets the form for a new account first.',
    ),
  ],
  answer: {
    status: 200,
    description: 'The page with the question, or with the answer that was given.',
    content: { 'text/html': { type: 'string' } },
    headers: {
      'Content-Security-Policy': {
        description: 'The page runs no scripts, and other pages cannot embed it.',
        schema: { type: 'string' },
      },
    },
  },
  errors: [],
  pages: {
    303: 'The user is not logged in: the login or the registration, which leads back.',
    400: '`redirect_uri` has another origin than the `redirect_uri` of the code request.',
    403: 'The consumer key is disabled.',
    404: 'The code is unknown.',
    410: 'The code is expired or used.',
  },
  dialect: 'account',
};
