import type { ParameterObject } from 'openapi3-ts/oas31';

import type { ErrorCode } from '../platform/common/error.catalogue.js';
import type { CallRequest, DocumentedParam, Operation } from '../platform/common/openapi.js';

const TAG = 'Reading list';

const CONSUMER_KEY: DocumentedParam = {
  name: 'consumer_key',
  schema: {
    type: 'string',
    description: 'The consumer key, which identifies the application and has its permissions.',
  },
  isRequired: true,
};

/**
 * The parameters `consumer_key` and `access_token`, which every call for a user contains (specification of the v3 API,
 * "Authentication").
 */
const CREDENTIALS: readonly DocumentedParam[] = [
  CONSUMER_KEY,
  {
    name: 'access_token',
    schema: {
      type: 'string',
      description:
        'The access token of the user: the `access_token` of `/login` or `/refresh`, or the token that `/v3/oauth/authorize` returned for this consumer key.',
    },
    isRequired: true,
  },
];

/** The parameters of an API call that needs only the consumer key and the access token. */
export const credentialParameters = CREDENTIALS.map(({ name, schema }) => ({
  name,
  schema,
  in: 'query',
  required: true,
})) satisfies ParameterObject[];

/** The error codes that every call of the v3 API can return, with or without a user. */
const ERRORS: readonly ErrorCode[] = [
  'malformed_body',
  'validation_failed',
  'bad_request',
  'consumer_key_missing',
  'invalid_consumer_key',
  'body_too_large',
  'unsupported_media_type',
  'internal_error',
  'database_unavailable',
];

/** The error codes that every call of the v3 API for a user can return. */
export const V3_ERRORS: readonly ErrorCode[] = [
  ...ERRORS,
  'invalid_value',
  'invalid_access_token',
  'access_token_of_another_key',
  'permission_missing',
  'too_many_requests',
];

const SPELLINGS =
  'Send a POST with the parameters as JSON, as a form or as multipart fields in UTF-8, or a GET with the parameters in the query. A POST can also have parameters in the query. If a parameter is in both, the value in the body wins. Numbers and flags can be sent as text. A null or blank value counts as missing. Unknown parameters are ignored. The path may end in a slash.';

type V3Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'answer' | 'schemas'> & {
  readonly request: CallRequest;
  /** The error codes of this operation, in addition to the error codes of all v3 calls. */
  readonly errors?: readonly ErrorCode[];
};

/**
 * Describes an operation of the v3 API that needs a user. Adds the credentials and the common error
 * codes.
 */
export const v3Operation = (facts: V3Facts): Operation =>
  described(facts, {
    security: [{ consumerKey: [], accessToken: [] }],
    credentials: CREDENTIALS,
    usualErrors: V3_ERRORS,
  });

/** Describes an operation of the v3 API that an application calls without a user, only with its consumer key. */
export const keyOperation = (facts: V3Facts): Operation =>
  described(facts, {
    security: [{ consumerKey: [] }],
    credentials: [CONSUMER_KEY],
    usualErrors: ERRORS,
  });

interface Caller extends Pick<Operation, 'security'> {
  readonly credentials: readonly DocumentedParam[];
  readonly usualErrors: readonly ErrorCode[];
}

const described = (
  { request, description, errors = [], ...facts }: V3Facts,
  { security, credentials, usualErrors }: Caller,
): Operation => ({
  ...facts,
  tag: TAG,
  description: `${description}\n\n${SPELLINGS}`,
  security,
  request: { ...request, params: [...credentials, ...request.params] },
  errors: [...usualErrors, ...errors],
  dialect: 'v3',
});
