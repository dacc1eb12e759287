import type { CallExample } from '../../common/openapi/operation.js';
import type { WireTokenPair } from './account.presenter.js';

const EMAIL = 'ada@example.com';
const PASSWORD = 'a long pass phrase';

const PAIR: WireTokenPair = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature',
  refresh_token: 'GPoeZ3nCmXq1dYtq2lA0b1zq5x9yqk3oVvJ8w7uT6sE',
  token_type: 'Bearer',
  expires_in: 900,
};

type Examples = Readonly<Record<string, CallExample>>;

/** Calls of the account endpoints. */
export const ACCOUNT_EXAMPLES: Readonly<Record<'register' | 'login' | 'refresh', Examples>> = {
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
      summary: 'By password',
      body: { email: EMAIL, password: PASSWORD },
      answer: PAIR,
    },
    wrong: {
      summary: 'A wrong password',
      body: { email: EMAIL, password: 'another pass phrase' },
      status: 401,
    },
    unproven: { summary: 'No proof at all', body: {}, status: 401 },
  },
  refresh: {
    pair: {
      summary: 'The newest refresh token',
      body: { refresh_token: PAIR.refresh_token },
      answer: PAIR,
    },
    unknown: { summary: 'A token that is none', body: { refresh_token: 'none' }, status: 401 },
  },
};
