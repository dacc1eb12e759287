import type { ErrorCode } from '../../platform/common/error.catalogue.js';
import {
  type CallExample,
  digits,
  objectOf,
  type Operation,
  paramsOf,
  ref,
  text,
} from '../../platform/common/openapi.js';
import { Registration } from '../registration.js';
import {
  LoginRequest,
  RefreshRequest,
  type TokenPairResponse,
  type UserResponse,
} from './account.dto.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'a long pass phrase';

const EXAMPLE_PAIR: TokenPairResponse = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
  refresh_token: 'GPoeZ3nCmXq1dYtq2lA0b1zq5x9yqk3oVvJ8w7uT6sE',
  token_type: 'Bearer',
  expires_in: 900,
};

type Examples = Readonly<Record<string, CallExample>>;

/** Example requests of the account endpoints, for the API document. */
const ACCOUNT_EXAMPLES: Readonly<Record<'register' | 'login' | 'refresh', Examples>> = {
  register: {
    person: {
      summary: 'A new account',
      body: { name: 'Ada', email: EMAIL, password: PASSWORD },
      answer: { user_id: '1', name: 'Ada', email: EMAIL },
    },
    weak: {
      summary: 'A password that is too short',
      body: { name: 'Ada', email: EMAIL, password: 'short' },
      status: 400,
    },
  },
  login: {
    password: {
      summary: 'A login with a password',
      body: { email: EMAIL, password: PASSWORD },
      answer: EXAMPLE_PAIR,
    },
    otp: {
      summary: 'A login with a password and a code of the second factor',
      body: { email: EMAIL, password: PASSWORD, otp: '492039' },
      answer: EXAMPLE_PAIR,
    },
    wrong: {
      summary: 'A wrong password',
      body: { email: EMAIL, password: 'another pass phrase' },
      status: 401,
    },
    missing: { summary: 'A login without credentials', body: {}, status: 401 },
  },
  refresh: {
    pair: {
      summary: 'The newest refresh token',
      body: { refresh_token: EXAMPLE_PAIR.refresh_token },
      answer: EXAMPLE_PAIR,
    },
    unknown: { summary: 'An unknown refresh token', body: { refresh_token: 'none' }, status: 401 },
  },
};

const BODY = 'A JSON object in UTF-8, of at most 4 KB.';

const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'malformed_body',
  'bad_request',
  'body_too_large',
  'unsupported_media_type',
  'unknown_host',
  'internal_error',
  'database_unavailable',
];

const USER = objectOf<UserResponse>({
  user_id: digits('The id of the user.'),
  name: text('The name as the client sent it.'),
  email: text('The email address in the canonical form that the service uses for comparisons.'),
});

const TOKEN_PAIR = objectOf<TokenPairResponse>({
  access_token: text(
    'A JWT for the header `Authorization: Bearer`, and for the parameter `access_token` of the v3 endpoints.',
  ),
  refresh_token: text('A token that `/refresh` exchanges once for a new pair of tokens.'),
  token_type: { const: 'Bearer' },
  expires_in: {
    type: 'integer',
    description: 'The number of seconds until the access token expires.',
  },
});

const SESSION_COOKIE = {
  'Set-Cookie': {
    description:
      'The encrypted session cookie, with the attributes `HttpOnly` and `SameSite=Lax`. Under TLS, the cookie also has the attribute `Secure`.',
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
  description:
    'The email address identifies the user, and no other account may have the same address. If registration is not open, `invitation` is required.',
  security: [],
  request: {
    name: 'Registration',
    params: paramsOf(Registration),
    description: BODY,
    examples: ACCOUNT_EXAMPLES.register,
  },
  answer: {
    status: 201,
    description: 'The new user.',
    content: { 'application/json': ref('User') },
  },
  errors: [
    'validation_failed',
    'invalid_value',
    'password_login_off',
    'registration_closed',
    'invalid_invitation',
    'email_taken',
    'too_many_requests',
    'service_busy',
  ],
  schemas: { User: USER },
});

export const LOGIN = accountOperation({
  id: 'login',
  summary: 'Log in to get tokens and a session',
  description:
    'Send one of three credentials: `email` and `password` in the body, the session cookie, or an access token in the header `Authorization`. If the body contains credentials, the service ignores the cookie and the header. If the account has a second factor, a login with a password also needs `otp`. A login with the cookie or a token does not need `otp`. After the login, the previous refresh token of the user stops working.',
  security: [{}, { session: [] }, { bearer: [] }],
  request: {
    name: 'Login',
    params: paramsOf(LoginRequest),
    description: `${BODY} To log in with the cookie or the header, send no body.`,
    isOptional: true,
    examples: ACCOUNT_EXAMPLES.login,
  },
  answer: {
    status: 200,
    description: 'A new pair of tokens.',
    content: PAIR,
    headers: SESSION_COOKIE,
  },
  errors: [
    'validation_failed',
    'password_login_off',
    'invalid_credentials',
    'otp_required',
    'invalid_otp',
    'email_not_verified',
    'too_many_requests',
    'service_busy',
  ],
  schemas: { TokenPair: TOKEN_PAIR },
});

export const REFRESH = accountOperation({
  id: 'refresh',
  summary: 'Exchange a refresh token for a new pair of tokens',
  description:
    'After the call, the old refresh token stops working. If a client uses a refresh token again more than ten seconds after its exchange, the service ends all sessions of the user.',
  security: [],
  request: {
    name: 'Refresh',
    params: paramsOf(RefreshRequest),
    description: BODY,
    examples: ACCOUNT_EXAMPLES.refresh,
  },
  answer: { status: 200, description: 'A new pair of tokens.', content: PAIR },
  errors: ['validation_failed', 'invalid_refresh_token', 'too_many_requests'],
  schemas: { TokenPair: TOKEN_PAIR },
});

export const LOGOUT = accountOperation({
  id: 'logout',
  summary: 'Log out everywhere',
  description: 'Ends every session, access token and refresh token of the user, on all devices.',
  security: [{ session: [] }, { bearer: [] }],
  answer: {
    status: 204,
    description: 'The user is logged out, and the session cookie is deleted.',
    headers: SESSION_COOKIE,
  },
  errors: ['invalid_credentials'],
});
