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
  schema: { type: 'string', description: 'The consumer key of the application.' },
  isRequired: true,
};

const X_ACCEPT: ParameterObject = {
  name: 'X-Accept',
  in: 'header',
  required: false,
  description:
    'If the header contains `application/json`, the answer is JSON. Otherwise, the answer is URL-encoded.',
  schema: { type: 'string' },
};

const FORM: SchemaObject = {
  type: 'string',
  description: 'The same fields as in the JSON answer, URL-encoded.',
};

const BODY =
  'JSON, a form or multipart fields in UTF-8, at most 16 KB. A GET request has the parameters in the query.';

const CODE = text('The code of the request, as hexadecimal digits in groups of 8-4-4-4-6.');
const STATE = optional(
  text('The `state` of the code request, unchanged. Missing if the code request had no `state`.'),
);

/**
 * Marks a parameter as required in the API document only. The handler, not the parser, rejects a
 * request without the parameter, because its error message is more specific.
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
  summary: 'Request a code for access',
  description:
    'The first of three steps. After this call, the application opens `/auth/authorize` with the code in the browser of the user. The code expires after 10 minutes by default, and works only once.',
  request: {
    name: 'CodeRequest',
    params: required(paramsOf(RequestCodeRequest), 'redirect_uri'),
    description: BODY,
    examples: {
      code: {
        summary: 'An application with a custom URL scheme',
        body: { redirect_uri: 'pocketapp1234:authorizationFinished', state: 'started-by-me' },
        answer: { code: EXAMPLE_CODE, state: 'started-by-me' },
      },
      hostile: {
        summary: 'A redirect address that would run code',
        body: { redirect_uri: 'javascript:alert(1)' },
        status: 400,
      },
    },
  },
  answer: { description: 'The code.', schema: 'Code' },
  errors: ['redirect_uri_missing', 'too_many_requests'],
  schemas: { Code: objectOf<CodeResponse>({ code: CODE, state: STATE }) },
});

export const AUTHORIZE_OPERATION = oauthOperation({
  id: 'oauth.authorize',
  summary: 'Exchange a code for an access token',
  description:
    'The third step, after the user has allowed access. Until then, the call returns the error `code_not_authorized`, and the client repeats the call. The access token does not expire, and works only with this consumer key. The user can revoke the access token.',
  request: {
    name: 'Exchange',
    params: required(paramsOf(ExchangeRequest), 'code'),
    description: BODY,
    examples: {
      token: {
        summary: 'A code for which the user has allowed access',
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
  answer: { description: 'The access token and the email address of the user.', schema: 'Access' },
  errors: ['code_missing', 'code_not_found', 'code_not_authorized', 'code_used'],
  schemas: {
    Access: objectOf<AccessResponse>({
      access_token: text(
        'The value of the parameter `access_token` of the v3 endpoints, as hexadecimal digits in groups of 8-4-4-4-6.',
      ),
      username: text('The email address of the user.'),
      state: STATE,
    }),
  },
});

export const META_OPERATION = oauthOperation({
  id: 'oauth.requestMeta',
  summary: 'Get the details of a code',
  description:
    'Returns the details that the page of the second step shows. The call is for apps that ask the user for permission in the app. Any application that has the code can make this call.',
  request: {
    name: 'MetaRequest',
    params: required(paramsOf(MetaRequest), 'request_token'),
    description: BODY,
    examples: {
      known: {
        summary: 'A code that was already exchanged',
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
  answer: { description: 'The application that requested the code.', schema: 'Meta' },
  errors: ['code_missing'],
  schemas: {
    Meta: objectOf<MetaResponse>({
      is_valid: oneOfTexts(['0', '1'], '1 while the user can still answer.'),
      has_access_token: oneOfTexts(['0', '1'], '1 after the code was exchanged.'),
      app_name: text('The name of the application, or empty text for an unknown code.'),
      app_description: text('Always empty.'),
      app_icon: text('Always empty.'),
      permission: text('The permissions of the application, separated by commas.'),
    }),
  },
});
