import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';

import type { ErrorCode } from '../../../platform/common/error.catalogue.js';
import {
  type DocumentedParam,
  objectOf,
  oneOfTexts,
  type Operation,
  optional,
  paramsOf,
  ref,
  text,
} from '../../../platform/common/openapi.js';
import {
  type AccessResponse,
  type CodeResponse,
  ExchangeRequest,
  MetaRequest,
  type MetaResponse,
  RequestCodeRequest,
  UNKNOWN_CODE,
} from './oauth.dto.js';

const CONSUMER_KEY: DocumentedParam = {
  name: 'consumer_key',
  schema: { type: 'string', description: 'Which application calls.' },
  isRequired: true,
};

const X_ACCEPT: ParameterObject = {
  name: 'X-Accept',
  in: 'header',
  required: false,
  description: 'JSON where it names `application/json`; else the answer is a form.',
  schema: { type: 'string' },
};

const FORM: SchemaObject = { type: 'string', description: 'The same fields, URL-encoded.' };

const BODY = 'JSON, a form or multipart fields in UTF-8, at most 16 KB; by GET the query.';

const CODE = text('Identifies the request: 8-4-4-4-6 hexadecimal digits.');
const STATE = optional(text('As it was given with the request; absent if it was not.'));

/**
 * Documents a parameter as required. The parameter reader treats the parameter as optional, because a missing parameter
 * has its own error message.
 */
const required = (parameters: readonly DocumentedParam[], name: string): DocumentedParam[] =>
  parameters.map((parameter) =>
    parameter.name === name ? { ...parameter, isRequired: true } : parameter,
  );

const EXAMPLE_CODE = 'dcba4321-dcba-4321-dcba-4321dc';

const ERRORS: readonly ErrorCode[] = [
  'malformed_body',
  'validation_failed',
  'bad_request',
  'consumer_key_missing',
  'application_refused',
  'invalid_redirect_uri',
  'body_too_large',
  'unsupported_media_type',
  'internal_error',
  'database_unavailable',
];

type Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'errors' | 'schemas'> & {
  readonly request: NonNullable<Operation['request']>;
  readonly answer: Pick<Operation['answer'], 'description'> & { readonly schema: string };
};

const oauthOperation = ({ request, answer, errors, ...facts }: Facts): Operation => ({
  ...facts,
  tag: 'OAuth',
  security: [{ consumerKey: [] }],
  parameters: [X_ACCEPT],
  request: { ...request, params: [CONSUMER_KEY, ...request.params] },
  answer: {
    status: 200,
    description: answer.description,
    content: {
      'application/json': ref(answer.schema),
      'application/x-www-form-urlencoded': FORM,
    },
  },
  errors: [...ERRORS, ...errors],
  dialect: 'v3',
});

export const REQUEST_OPERATION = oauthOperation({
  id: 'oauth.request',
  summary: 'Ask for access: get a code',
  description:
    'The first step. With the code the application sends the person’s browser to `/auth/authorize`. The code lives 10 minutes unless the service is set up otherwise, and is used once.',
  request: {
    name: 'CodeRequest',
    params: required(paramsOf(RequestCodeRequest), 'redirect_uri'),
    description: BODY,
    examples: {
      code: {
        summary: 'An application that listens to a scheme of its own',
        body: { redirect_uri: 'pocketapp1234:authorizationFinished', state: 'started-by-me' },
        answer: { code: EXAMPLE_CODE, state: 'started-by-me' },
      },
      hostile: {
        summary: 'What would run in the page',
        body: { redirect_uri: 'javascript:alert(1)' },
        status: 400,
      },
    },
  },
  answer: { description: 'A code.', schema: 'Code' },
  errors: ['redirect_uri_missing', 'too_many_requests'],
  schemas: { Code: objectOf<CodeResponse>({ code: CODE, state: STATE }) },
});

export const AUTHORIZE_OPERATION = oauthOperation({
  id: 'oauth.authorize',
  summary: 'Exchange a code for an access token',
  description:
    'The third step, when the person has agreed. Clients ask again and again until they have: the answer is `code_not_authorized` till then. The access token does not expire, is good with this consumer key alone, and ends when the person revokes it.',
  request: {
    name: 'Exchange',
    params: required(paramsOf(ExchangeRequest), 'code'),
    description: BODY,
    examples: {
      token: {
        summary: 'A code to which the person has agreed',
        body: { code: EXAMPLE_CODE },
        answer: {
          access_token: '99b1dcdf-7c0a-8f00-bce7-647695',
          username: 'ada@example.com',
          state: 'started-by-me',
        },
      },
      unknown: { summary: 'An unknown code', body: { code: 'none' }, status: 400 },
    },
  },
  answer: { description: 'An access token, and whose it is.', schema: 'Access' },
  errors: ['code_missing', 'code_not_found', 'code_not_authorized', 'code_used'],
  schemas: {
    Access: objectOf<AccessResponse>({
      access_token: text(
        'The parameter `access_token` of the v3 endpoints: 8-4-4-4-6 hexadecimal digits.',
      ),
      username: text('The email address of the user.'),
      state: STATE,
    }),
  },
});

export const META_OPERATION = oauthOperation({
  id: 'oauth.requestMeta',
  summary: 'Tell whose a code is',
  description:
    'What the page of the second step shows, for an app that asks the person itself. Any application that has the code may ask.',
  request: {
    name: 'MetaRequest',
    params: required(paramsOf(MetaRequest), 'request_token'),
    description: BODY,
    examples: {
      known: {
        summary: 'A code that was exchanged already',
        body: { request_token: EXAMPLE_CODE },
        answer: { ...UNKNOWN_CODE, app_name: 'Reader', permission: 'retrieve,add,modify' },
      },
      unknown: {
        summary: 'An unknown code',
        body: { request_token: 'none' },
        answer: UNKNOWN_CODE,
      },
    },
  },
  answer: { description: 'The application that asks.', schema: 'Meta' },
  errors: ['code_missing'],
  schemas: {
    Meta: objectOf<MetaResponse>({
      is_valid: oneOfTexts(['0', '1'], '1 while a person may answer.'),
      has_access_token: oneOfTexts(['0', '1'], '1 once the code was exchanged.'),
      app_name: text('The name of the application; empty for an unknown code.'),
      app_description: text('Always empty.'),
      app_icon: text('Always empty.'),
      permission: text('What the application may do, with commas between.'),
    }),
  },
});
