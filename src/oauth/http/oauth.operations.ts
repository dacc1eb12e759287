import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';

import type { ErrorCode } from '../../common/error.catalogue.js';
import { type DocumentedMember, membersOf } from '../../common/openapi/member.js';
import type { Operation } from '../../common/openapi/operation.js';
import { objectOf, optional, ref, text } from '../../common/openapi/schema.js';
import type { WireAccess, WireCode } from './oauth.presenter.js';
import { ExchangeRequest, RequestCodeRequest } from './oauth.requests.js';

const CONSUMER_KEY: DocumentedMember = {
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

const FORM: SchemaObject = { type: 'string', description: 'The same members, URL-encoded.' };

export const BODY = 'JSON, a form or multipart fields in UTF-8, at most 16 KB; by GET the query.';

const CODE = text('Identifies the request: 8-4-4-4-6 hexadecimal digits.');
const STATE = optional(text('As it was given with the request; absent if it was not.'));

/** Their absence has an error of its own, which the readers of members do not know. */
export const required = (members: readonly DocumentedMember[], name: string): DocumentedMember[] =>
  members.map((member) => (member.name === name ? { ...member, isRequired: true } : member));

export const EXAMPLE_CODE = 'dcba4321-dcba-4321-dcba-4321dc';

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

export const oauthOperation = ({ request, answer, errors, ...facts }: Facts): Operation => ({
  ...facts,
  tag: 'OAuth',
  security: [{ consumerKey: [] }],
  parameters: [X_ACCEPT],
  request: { ...request, members: [CONSUMER_KEY, ...request.members] },
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
    members: required(membersOf(RequestCodeRequest), 'redirect_uri'),
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
  schemas: { Code: objectOf<WireCode>({ code: CODE, state: STATE }) },
});

export const AUTHORIZE_OPERATION = oauthOperation({
  id: 'oauth.authorize',
  summary: 'Exchange a code for an access token',
  description:
    'The third step, when the person has agreed. Clients ask again and again until they have: the answer is `code_not_authorized` till then. The access token does not expire, is good with this consumer key alone, and ends when the person revokes it.',
  request: {
    name: 'Exchange',
    members: required(membersOf(ExchangeRequest), 'code'),
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
      unknown: { summary: 'A code of nobody', body: { code: 'none' }, status: 400 },
    },
  },
  answer: { description: 'An access token, and whose it is.', schema: 'Access' },
  errors: ['code_missing', 'code_not_found', 'code_not_authorized', 'code_used'],
  schemas: {
    Access: objectOf<WireAccess>({
      access_token: text('The member of the v3 endpoints: 8-4-4-4-6 hexadecimal digits.'),
      username: text('The email address of the user.'),
      state: STATE,
    }),
  },
});
