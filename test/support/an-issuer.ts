import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Configuration, type JWKS, Provider } from 'oidc-provider';
import type { Response as PageResponse } from 'supertest';

import type { IssuerSettings } from '../../src/platform/config/login-settings.js';
import { locationOf, PageVisitor } from './page-visitor.js';
import type { TestApp } from './test-app.js';

const CLIENT_ID = 'satchel';
const CLIENT_SECRET = 'a secret of client and issuer, for tests';
const INTERACTION = '/interaction/';

type Claims = Readonly<Record<string, unknown>>;

interface IssuerOptions {
  /** Path of the issuer below the host, without its trailing slash. */
  readonly path?: string;
  /** The only client authentication method that the issuer accepts. */
  readonly clientAuth?: 'client_secret_basic' | 'client_secret_post';
  /** The error code for a rejected client; `invalid_client` by default. */
  readonly rejection?: string;
  /** Holds back the first token responses until this many token requests have arrived. */
  readonly tokenRequestsAtOnce?: number;
  /** Changes responses of the issuer. */
  readonly change?: Middleware;
}

/** A real OpenID Connect issuer on this machine. Its login page asks only for a name. */
export class TestIssuer {
  /** Claims of each user, keyed by login name. The login name is the `sub`. */
  readonly people = new Map<string, Claims>();
  /** Claims in the ID token besides `sub`. The userinfo endpoint returns all other claims. */
  readonly idTokens = new Map<string, Claims>();
  /** If true, the issuer closes every connection. */
  isAway = false;
  private provider: Provider | undefined;

  private constructor(
    private readonly server: Server,
    private readonly options: IssuerOptions,
  ) {
    server.on('request', (request, response) => {
      void this.answer(request, response);
    });
  }

  /** Starts an issuer for a service at this address. */
  static async of(address: string, options: IssuerOptions = {}): Promise<TestIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TestIssuer(server, options);
    const { path = '' } = options;
    const identifier = `${issuer.url}${path === '' ? '' : `${path}/`}`;
    issuer.provider = new Provider(identifier, issuer.configuration(address));
    issuer.provider.use(heldUntil(options.tokenRequestsAtOnce ?? 0));
    issuer.provider.use(strict(options));
    issuer.provider.use(options.change ?? ((_, next) => next()));
    return issuer;
  }

  /** Starts an issuer and configures the service to use it. */
  static async for(
    app: TestApp,
    address = app.url,
    options: IssuerOptions = {},
  ): Promise<TestIssuer> {
    const issuer = await TestIssuer.of(address, options);
    Object.assign(app.config, { publicUrl: new URL(address), issuer: issuer.settings });
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get settings(): IssuerSettings {
    return {
      ...{
        address: new URL(`${this.url}${this.options.path ?? ''}`),
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
      },
      ...{ name: 'Home ID', trustsEmail: false },
    };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private configuration(service: string): Configuration {
    return {
      clients: [
        {
          ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
          token_endpoint_auth_method: this.options.clientAuth ?? 'client_secret_basic',
          redirect_uris: [`${service}/auth/oidc/callback`],
          post_logout_redirect_uris: [`${service}/auth/login`],
        },
      ],
      jwks: signingKeys(),
      cookies: { keys: ['a key of the cookies'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `${INTERACTION}${uid}` },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: (use) => ({ ...(use === 'id_token' ? this.idTokens : this.people).get(sub), sub }),
      }),
      conformIdTokenClaims: false,
      // Skips the consent page, because the issuer trusts the operator's service.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    const { path = '' } = this.options;
    if (path !== '' && url.startsWith(`${path}/`)) {
      // Frameworks set these fields when they mount the issuer below a path.
      Object.assign(request, { originalUrl: url, url: url.slice(path.length), baseUrl: path });
    }
    if (this.isAway || this.provider === undefined) {
      request.socket.destroy();
    } else if (!url.startsWith(INTERACTION)) {
      await this.provider.callback()(request, response);
    } else if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html').end(LOGIN_PAGE);
    } else {
      const login = new URLSearchParams(await textOf(request)).get('login') ?? '';
      const result =
        login === '' ? { error: 'access_denied' } : { login: { accountId: login, remember: true } };
      await this.provider.interactionFinished(request, response, result);
    }
  }
}

type Middleware = Parameters<Provider['use']>[0];

function heldUntil(count: number): Middleware {
  const waiting: (() => void)[] = [];
  let seen = 0;
  return async ({ path }, next) => {
    if (path === '/token' && seen < count) {
      seen += 1;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        waiting.slice(0, seen === count ? count : 0).forEach((release) => {
          release();
        });
      });
    }
    await next();
  };
}

/** Enforces the configured method. The library accepts both methods, whichever one the client is registered with. */
const strict =
  ({
    clientAuth = 'client_secret_basic',
    rejection = 'invalid_client',
  }: IssuerOptions): Middleware =>
  async (context, next) => {
    const used = context.get('Authorization') === '' ? 'client_secret_post' : 'client_secret_basic';
    if (context.path === '/token' && used !== clientAuth) {
      context.status = 401;
      context.body = { error: rejection, error_description: 'Invalid client credentials' };
      return;
    }
    await next();
    const body = context.body as { error?: string } | undefined;
    if (body?.error === 'invalid_client' && rejection !== 'invalid_client') {
      body.error = rejection;
      context.remove('WWW-Authenticate');
    }
  };

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Home ID</title><h1>Home ID</h1>
<form method="post"><label>Name <input name="login"></label> <button>Enter</button></form></html>`;

/** RSA is the default signature algorithm of issuers. */
function signingKeys(): JWKS {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** A browser at the issuer. It keeps cookies. */
export class IssuerVisitor {
  private readonly cookies = new Map<string, string>();

  /** Logs in, or declines if the login is empty. Returns the first URL outside of the issuer. */
  async logIn(url: string, login: string): Promise<URL> {
    let at = new URL(url);
    let body: string | undefined;
    const { origin } = at;
    for (let hop = 0; hop < 10; hop += 1) {
      const response = await this.visit(at, body);
      body = undefined;
      const location = response.headers.get('location');
      if (location !== null) {
        at = new URL(location, at);
        if (at.origin !== origin) {
          return at;
        }
      } else if (at.pathname.startsWith(INTERACTION)) {
        body = new URLSearchParams({ login }).toString();
      } else {
        throw new Error(`the issuer leads nowhere: ${response.status} ${await response.text()}`);
      }
    }
    throw new Error('the issuer leads in a circle');
  }

  private async visit(url: URL, body: string | undefined): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie,
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      this.cookies.set(name, value);
    }
    return response;
  }
}

export const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

export const isLoggedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.open('/account')).status === 200;

/** Logins of people who have an account at the issuer. */
export class IssuerLogins {
  private people = 0;

  constructor(
    private readonly app: TestApp,
    private readonly issuer: TestIssuer,
  ) {}

  /** Adds a person to the issuer. */
  known(claims: Claims = {}): { login: string; email: string } {
    this.people += 1;
    const login = `person-${this.people}`;
    const email = `person${this.people}@example.com`;
    this.issuer.people.set(login, { email, email_verified: true, name: 'Grace', ...claims });
    return { login, email };
  }

  /** Logs in at the issuer. Returns the callback path that the issuer redirects to. */
  async answerFor(visitor: PageVisitor, login: string, query = ''): Promise<string> {
    const start = await visitor.open(`/auth/oidc/start${query}`).expect(303);
    return pathOf(await new IssuerVisitor().logIn(locationOf(start), login));
  }

  async logIn(login: string, query = ''): Promise<PageResponse & { visitor: PageVisitor }> {
    const visitor = new PageVisitor(this.app);
    const answer = await visitor.open(await this.answerFor(visitor, login, query));
    return Object.assign(answer, { visitor });
  }

  /** Counts the rows in each table that a login may add to. */
  counts(): Promise<number[]> {
    return Promise.all(['users', 'identities', 'sessions'].map((table) => this.countOf(table)));
  }

  private async countOf(table: string): Promise<number> {
    const statement = `SELECT count(*)::int AS n FROM ${table}`;
    return (await this.app.database.query<{ n: number }>(statement))[0]?.n ?? -1;
  }
}
