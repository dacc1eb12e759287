import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type Answer, answered, type OAuthAnswer } from './real-clients.js';
import type { RealOAuthClient } from './real-oauth-clients.js';

const require = createRequire(join(process.cwd(), 'package.json'));

type Connect = (consumerKey: string, redirectUri: string) => RealOAuthClient;
type Callback = (error: unknown, answer: Answer) => void;

interface PocketAuth {
  fetchToken(consumerKey: string, redirectUri: string, options: object): Promise<{ code: string }>;
  getRedirectUrl(token: string, redirectUri: string): string;
  getAccessToken(consumerKey: string, token: string): Promise<OAuthAnswer>;
}
interface PocketPromise {
  retrieve(parameters: object): Promise<Answer>;
  add(parameters: object): Promise<Answer>;
  modify(parameters: { readonly actions: readonly object[] }): Promise<Answer>;
}
interface PocketSdk {
  init(consumerKey: string, redirectUri: string): void;
  get(parameters: object, done: Callback): void;
  add(parameters: object, done: Callback): void;
  send(parameters: object, done: Callback): void;
  oauth(
    options: object,
  ): (request: object, response: object, next: (error: unknown) => void) => void;
}

/** pocket-promise checks its parameters itself. It cannot request a token; the package pocket-auth does that. */
const pocketPromise: Connect = (consumerKey, redirectUri) => {
  const auth = require('pocket-auth') as PocketAuth;
  const Pocket = require('pocket-promise') as new (config: object) => PocketPromise;
  return {
    request: async () => {
      const { code } = await auth.fetchToken(consumerKey, redirectUri, {});
      return { code, authorizeUrl: auth.getRedirectUrl(code, redirectUri) };
    },
    authorize: (code) => auth.getAccessToken(consumerKey, code),
    with: (access_token) => {
      const client = new Pocket({ consumer_key: consumerKey, access_token });
      return {
        retrieve: (parameters = {}) => client.retrieve({ ...parameters }),
        add: (parameters) => client.add({ ...parameters }),
        modify: (actions) => client.modify({ actions }),
      };
    },
  };
};

/**
 * pocket-sdk is Express middleware. It reads form answers and sends queries for most calls; add and send return
 * nothing.
 */
const pocketSdk: Connect = (consumerKey, redirectUri) => {
  const sdk = require('pocket-sdk') as PocketSdk;
  sdk.init(consumerKey, redirectUri);
  /** Runs the middleware for a request to one of its paths. */
  const visited = (path: string, query: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const middleware = sdk.oauth({ afterSuccess: resolve });
      middleware({ path, query, headers: {} }, { redirect: resolve }, reject);
    });
  return {
    request: async () => {
      const authorizeUrl = String(await visited('/pocket/authorize', {}));
      return { code: new URL(authorizeUrl).searchParams.get('request_token') ?? '', authorizeUrl };
    },
    authorize: async (code) => (await visited('/pocket/callback', { code })) as OAuthAnswer,
    with: (access_token) => ({
      retrieve: (parameters = {}) =>
        answered((done) => {
          sdk.get({ access_token, ...parameters }, done);
        }),
      add: (parameters) =>
        answered((done) => {
          sdk.add({ access_token, ...parameters }, done);
        }),
      modify: (actions) =>
        answered((done) => {
          sdk.send({ access_token, actions }, done);
        }),
    }),
  };
};

/** Combined or single packages that cover authorization and all calls, keyed by name. */
export const FURTHER_CLIENTS = {
  'pocket-promise and pocket-auth': pocketPromise,
  'pocket-sdk': pocketSdk,
} as const satisfies Readonly<Record<string, Connect>>;
