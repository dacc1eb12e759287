import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));

/** A client library of the original, behind one interface. */
export interface RealClient {
  retrieve(parameters?: object): Promise<Answer>;
  add(parameters: object): Promise<Answer>;
  modify(actions: readonly object[]): Promise<Answer>;
}

/** The answer as the library returns it. */
export type Answer = Readonly<Record<string, unknown>>;

type Callback = (error: unknown, answer: Answer) => void;
type RawCallback = (error: unknown, response: unknown, body: string) => void;

/** The result of a successful authorization. */
export interface OAuthAnswer {
  readonly access_token: string;
  readonly username: string;
}
type Connect = (consumerKey: string, accessToken: string) => RealClient;

interface PocketApi {
  getRequestToken(): Promise<string>;
  getAccessToken(): Promise<OAuthAnswer>;
  setAccessToken(token: string): void;
  getArticles(parameters: object): Promise<Answer>;
  addArticles(parameters: object): Promise<Answer>;
  modifyArticles(actions: readonly object[]): Promise<Answer>;
}
interface NodeGetPocket {
  getRequestToken(parameters: { redirect_uri: string }, done: RawCallback): void;
  getAuthorizeURL(parameters: { request_token: string; redirect_uri: string }): string;
  getAccessToken(parameters: { request_token: string }, done: RawCallback): void;
  retrieve(parameters: object, done: Callback): void;
  add(parameters: object, done: Callback): void;
  modify(parameters: { readonly actions: readonly object[] }, done: Callback): void;
  archive(parameters: { readonly item_id: string }, done: Callback): void;
}
interface NodePocket {
  getRequestToken(options: { url: string }, done: Callback): void;
  getAccessToken(options: { code: string }, done: Callback): void;
  get(parameters: object, done: Callback): void;
  add(parameters: object, done: Callback): void;
  modify(parameters: { readonly actions: readonly object[] }, done: Callback): void;
}

export const loadedPocketApi = (): new (consumerKey: string, redirectUri?: string) => PocketApi =>
  require('pocket-api') as ReturnType<typeof loadedPocketApi>;

/** pocket-api: promises, JSON through `got`. */
const pocketApi: Connect = (consumerKey, accessToken) => {
  const client = new (loadedPocketApi())(consumerKey);
  client.setAccessToken(accessToken);
  return {
    retrieve: (parameters = {}) => client.getArticles(parameters),
    add: (parameters) => client.addArticles(parameters),
    modify: (actions) => client.modifyArticles(actions),
  };
};

export const nodeGetPocket = (consumer_key: string, access_token: string): NodeGetPocket => {
  const GetPocket = require('node-getpocket') as new (config: object) => NodeGetPocket;
  return new GetPocket({ consumer_key, access_token });
};

/** node-getpocket: callbacks, JSON through `request`. */
const getPocket: Connect = (consumerKey, accessToken) => {
  const client = nodeGetPocket(consumerKey, accessToken);
  return {
    retrieve: (parameters = {}) =>
      answered((done) => {
        client.retrieve({ ...parameters }, done);
      }),
    add: (parameters) =>
      answered((done) => {
        client.add({ ...parameters }, done);
      }),
    modify: (actions) =>
      answered((done) => {
        client.modify({ actions }, done);
      }),
  };
};

/** node-pocket: callbacks. Sends a query for get, a form for add and JSON for modify. */
const nodePocket: Connect = (consumerKey, accessToken) => {
  const client = new (compiledNodePocket())(consumerKey, accessToken);
  return {
    retrieve: (parameters = {}) =>
      answered((done) => {
        client.get({ ...parameters }, done);
      }),
    add: (parameters) =>
      answered((done) => {
        client.add({ ...parameters }, done);
      }),
    modify: (actions) =>
      answered((done) => {
        client.modify({ actions }, done);
      }),
  };
};

type LoadModule = (require: NodeJS.Require, module: object, exports: object) => void;

/** Compiles the one CoffeeScript file. The package's install script does only this, but is not run. */
export function compiledNodePocket(): new (consumerKey: string, accessToken: string) => NodePocket {
  const folder = dirname(require.resolve('node-pocket/package.json'));
  const source = readFileSync(join(folder, 'index.coffee'), 'utf8');
  const { compile } = require('coffee-script') as { compile(source: string): string };
  const module = { exports: {} };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a CommonJS module is loaded this way
  const load = new Function('require', 'module', 'exports', compile(source)) as LoadModule;
  load(require, module, module.exports);
  return module.exports as ReturnType<typeof compiledNodePocket>;
}

export const answered = (call: (done: Callback) => void): Promise<Answer> =>
  new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error) {
        reject(error instanceof Error ? error : new Error(JSON.stringify(error)));
      } else {
        resolve(answer);
      }
    });
  });

/** The npm packages, keyed by name. */
export const REAL_CLIENTS = {
  'pocket-api': pocketApi,
  'node-getpocket': getPocket,
  'node-pocket': nodePocket,
} as const satisfies Readonly<Record<string, Connect>>;
