import type { ErrorCode } from '../../common/error.catalogue.js';
import { membersOf } from '../../common/openapi/member.js';
import type { Operation } from '../../common/openapi/operation.js';
import { digits, objectOf, ref, text } from '../../common/openapi/schema.js';
import { Registration } from '../registration.js';
import { ACCOUNT_EXAMPLES } from './account.examples.js';
import type { WireTokenPair, WireUser } from './account.presenter.js';
import { LoginRequest } from './login.request.js';
import { RefreshRequest } from './refresh.request.js';

const BODY = 'One JSON object in UTF-8, of at most 4 KB.';

const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'malformed_body',
  'bad_request',
  'body_too_large',
  'unsupported_media_type',
  'internal_error',
  'database_unavailable',
];

const USER = objectOf<WireUser>({
  user_id: digits('Identifies the user.'),
  name: text('As it was given.'),
  email: text('In the form in which addresses are compared.'),
});

const TOKEN_PAIR = objectOf<WireTokenPair>({
  access_token: text('A JWT: for `Authorization: Bearer`, and the member of the v3 endpoints.'),
  refresh_token: text('Exchanged once for the next pair at `/refresh`.'),
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Seconds until the access token expires.' },
});

const SESSION_COOKIE = {
  'Set-Cookie': {
    description: 'The encrypted session cookie: `HttpOnly`, `SameSite=Lax`, under TLS `Secure`.',
    schema: { type: 'string' },
  },
} as const;

const PAIR = { 'application/json': ref('TokenPair') };

type Facts = Omit<Operation, 'tag' | 'dialect'>;

const accountOperation = ({ errors, ...facts }: Facts): Operation => ({
  ...facts,
  tag: 'Account',
  errors: [...ERRORS_OF_ALL, ...errors],
  dialect: 'account',
});

export const REGISTER = accountOperation({
  id: 'register',
  summary: 'Create an account',
  description: 'The email address identifies the person and is free.',
  security: [],
  request: {
    name: 'Registration',
    members: membersOf(Registration),
    description: BODY,
    examples: ACCOUNT_EXAMPLES.register,
  },
  answer: {
    status: 201,
    description: 'The user.',
    content: { 'application/json': ref('User') },
  },
  errors: [
    'validation_failed',
    'invalid_value',
    'email_taken',
    'too_many_requests',
    'service_busy',
  ],
  schemas: { User: USER },
});

export const LOGIN = accountOperation({
  id: 'login',
  summary: 'Prove who you are, get tokens and a session',
  description:
    'One of three proofs: `email` and `password` in the body; the session cookie; an access token in the header `Authorization`. Credentials in the body are judged alone. The refresh token that the user had before is dead.',
  security: [{}, { session: [] }, { bearer: [] }],
  request: {
    name: 'Login',
    members: membersOf(LoginRequest),
    description: `${BODY} None where a cookie or a header is the proof.`,
    isOptional: true,
    examples: ACCOUNT_EXAMPLES.login,
  },
  answer: {
    status: 200,
    description: 'A new pair of tokens.',
    content: PAIR,
    headers: SESSION_COOKIE,
  },
  errors: ['validation_failed', 'invalid_credentials', 'too_many_requests', 'service_busy'],
  schemas: { TokenPair: TOKEN_PAIR },
});

export const REFRESH = accountOperation({
  id: 'refresh',
  summary: 'Exchange a refresh token for a new pair',
  description:
    'The old one is dead at once. One that is used again later than ten seconds after its exchange ends all sessions of its user.',
  security: [],
  request: {
    name: 'Refresh',
    members: membersOf(RefreshRequest),
    description: BODY,
    examples: ACCOUNT_EXAMPLES.refresh,
  },
  answer: { status: 200, description: 'A new pair of tokens.', content: PAIR },
  errors: ['validation_failed', 'invalid_refresh_token', 'too_many_requests'],
  schemas: { TokenPair: TOKEN_PAIR },
});

export const LOGOUT = accountOperation({
  id: 'logout',
  summary: 'Sign out everywhere',
  description: 'Ends every session, access token and refresh token of the user, on all devices.',
  security: [{ session: [] }, { bearer: [] }],
  answer: {
    status: 204,
    description: 'Done; the cookie is taken back.',
    headers: SESSION_COOKIE,
  },
  errors: ['invalid_credentials'],
});
