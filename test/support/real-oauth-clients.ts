import {
  type Answer,
  answered,
  compiledNodePocket,
  loadedPocketApi,
  nodeGetPocket,
  type OAuthAnswer,
  REAL_CLIENTS,
  type RealClient,
} from './real-clients.js';

/** A client library's steps to an access token. */
export interface RealOAuthClient {
  request(): Promise<{ readonly code: string; readonly authorizeUrl: string }>;
  authorize(code: string): Promise<OAuthAnswer>;
  /** Returns the same library with an access token. */
  with(accessToken: string): RealClient;
}

type Connect = (consumerKey: string, redirectUri: string) => RealOAuthClient;

/** pocket-api: its readme names the address to open. */
const pocketApi: Connect = (consumerKey, redirectUri) => {
  const client = new (loadedPocketApi())(consumerKey, redirectUri);
  const opened = 'https://getpocket.com/auth/authorize';
  return {
    request: async () => {
      const code = await client.getRequestToken();
      return {
        code,
        authorizeUrl: `${opened}?request_token=${code}&redirect_uri=${redirectUri}`,
      };
    },
    authorize: () => client.getAccessToken(),
    with: (accessToken) => REAL_CLIENTS['pocket-api'](consumerKey, accessToken),
  };
};

/** node-getpocket: returns bodies unparsed. */
const getPocket: Connect = (consumerKey, redirect_uri) => {
  const client = nodeGetPocket(consumerKey, '');
  return {
    request: async () => {
      const { code } = await answered((done) => {
        client.getRequestToken({ redirect_uri }, (error, _, body) => {
          done(error, JSON.parse(body) as Answer);
        });
      });
      const request_token = String(code);
      const authorizeUrl = client.getAuthorizeURL({ request_token, redirect_uri });
      return { code: request_token, authorizeUrl };
    },
    authorize: async (request_token) =>
      (await answered((done) => {
        client.getAccessToken({ request_token }, (error, _, body) => {
          done(error, JSON.parse(body) as Answer);
        });
      })) as unknown as OAuthAnswer,
    with: (accessToken) => REAL_CLIENTS['node-getpocket'](consumerKey, accessToken),
  };
};

/** node-pocket: sends forms, receives JSON. */
const nodePocket: Connect = (consumerKey, url) => {
  const client = new (compiledNodePocket())(consumerKey, '');
  return {
    request: async () => {
      const { code, redirectUrl } = await answered((done) => {
        client.getRequestToken({ url }, done);
      });
      return { code: String(code), authorizeUrl: String(redirectUrl) };
    },
    authorize: async (code) =>
      (await answered((done) => {
        client.getAccessToken({ code }, done);
      })) as unknown as OAuthAnswer,
    with: (accessToken) => REAL_CLIENTS['node-pocket'](consumerKey, accessToken),
  };
};

/** The npm packages, keyed by name. */
export const OAUTH_CLIENTS = {
  'pocket-api': pocketApi,
  'node-getpocket': getPocket,
  'node-pocket': nodePocket,
} as const satisfies Readonly<Record<string, Connect>>;
