import type { ErrorCode } from '../../common/error.catalogue.js';
import type { DocumentedMember } from '../../common/openapi/member.js';
import type { CallRequest, Operation } from '../../common/openapi/operation.js';

const TAG = 'Reading list';

/** The two members that every call of the reading-list part carries (specification, "Authentication"). */
const CREDENTIALS: readonly DocumentedMember[] = [
  {
    name: 'consumer_key',
    schema: { type: 'string', description: 'Which application calls, and what it may do.' },
    isRequired: true,
  },
  {
    name: 'access_token',
    schema: {
      type: 'string',
      description:
        'For whom: the `access_token` of `/login` or `/refresh`, or the one of this consumer key from `/v3/oauth/authorize`.',
    },
    isRequired: true,
  },
];

const ERRORS: readonly ErrorCode[] = [
  'malformed_body',
  'validation_failed',
  'invalid_value',
  'bad_request',
  'consumer_key_missing',
  'invalid_access_token',
  'access_token_of_another_key',
  'invalid_consumer_key',
  'permission_missing',
  'body_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
  'database_unavailable',
];

const SPELLINGS =
  'By POST with the members as JSON, as a form or as multipart fields, in UTF-8; by GET in the query. Members may be spread over body and query; in a POST the body wins. Numbers and flags may be text, null and blank text are as good as absent, unknown members are ignored. The path may end in a slash.';

type V3Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'answer' | 'schemas'> & {
  readonly request: CallRequest;
  /** Beside those of every call. */
  readonly errors?: readonly ErrorCode[];
};

/** An operation of the reading-list part: with its credentials and its errors. */
export const v3Operation = ({
  request,
  description,
  errors = [],
  ...facts
}: V3Facts): Operation => ({
  ...facts,
  tag: TAG,
  description: `${description}\n\n${SPELLINGS}`,
  security: [{ consumerKey: [], accessToken: [] }],
  request: { ...request, members: [...CREDENTIALS, ...request.members] },
  errors: [...ERRORS, ...errors],
  dialect: 'v3',
});
